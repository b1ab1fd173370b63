// ScopeState: the implementation of a scope, shared by Scope, TaskScope and Context.
//
// A scope has two counters. Each counts the scope's own coroutines and the child scopes whose counter is not zero:
//   active_  without zombies. At zero the scope is idle: Scope::is_finished() is true and the ScopeState event fires.
//   live_    with zombies. At zero the scope is empty: end_event() fires.
// A scope has finished when it is closed, empty and not pinned; its finally handlers then run. Only changes between zero
// and one propagate to the parent, so counting is O(depth) in the worst case and usually O(1).
//
// Ownership: reference-counted. Handles, coroutines and child scopes hold a reference. A scope holds a reference to its
// parent, but not to its members.
// Thread safety: the scheduler's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "reactor/timer_queue.hpp"
#include "scheduler/coroutine_owner.hpp"
#include "scheduler/scheduler.hpp"
#include "scope/scope_members.hpp"
#include "trueasync/detail/channel_base.hpp"
#include "trueasync/scope/scope.hpp"

namespace trueasync::detail {

struct ContextValues;

// ScopeEndEvent: fires each time a scope becomes empty.
class ScopeEndEvent final : public Event {
 public:
  explicit ScopeEndEvent(const ScopeState& scope) noexcept : scope_(scope) {}
  bool replay(Notification& result) const noexcept override;
  std::string describe() const override { return "the end of a scope, zombies included"; }
  void fire() noexcept { notify({}); }

 protected:
  void dispose() noexcept override {}  // a member of ScopeState

 private:
  const ScopeState& scope_;
};

// EndObserver: a call of await_after_cancellation() with a handler, which gets the scope's errors until the call
// returns. On the stack of the waiting coroutine.
struct EndObserver : ListHook {
  EndObserver(IntrusiveList<EndObserver>& observers, const ScopeErrorHandler& error_handler) noexcept
      : handler(error_handler) {
    observers.push_back(*this);
  }
  ~EndObserver() { unlink(); }
  EndObserver(const EndObserver&) = delete;
  EndObserver& operator=(const EndObserver&) = delete;

  const ScopeErrorHandler& handler;
};

// ScopeTimer: the timer of a scope, for its deadline and for dispose_after().
struct ScopeTimer : Timer {
  ScopeTimer(ScopeState& owner) noexcept;
  ScopeState& scope;
};

class ScopeState final : public Event, public CoroutineOwner, public ListHook {
 public:
  enum class Kind : std::uint8_t { root, plain };

  static Ref<ScopeState> make(Scheduler& scheduler, ScopeState* parent);
  // The root scope, created on first use. The scheduler owns it until Scheduler::detach().
  static ScopeState& root(Scheduler& scheduler);
  // The scope in which a coroutine spawns; the scope of an owner. Both create the scope of a LazyScope.
  static ScopeState& of(ControlBlock& block);
  static ScopeState& of(CoroutineOwner& owner);

  // CoroutineOwner
  void attach(ControlBlock& block) override;
  void on_finished(ControlBlock& block) noexcept override;
  void release_owner() noexcept override { release(); }
  bool handle_unobserved_error(ControlBlock& block, const std::exception_ptr& error) noexcept override;
  // Reports an error that this scope does not handle to the parent scopes, then to the runtime.
  void report_to_parent(const std::exception_ptr& error) noexcept;
  // Reports the errors that were kept for awaiters to the parent scopes.
  void propagate_kept_errors() noexcept;
  std::exception_ptr deadline_error(ControlBlock& block) noexcept override;

  // Event
  bool replay(Notification& result) const noexcept override;
  std::string describe() const override { return "a scope"; }
  void mark_error_observed() noexcept override { errors_.clear(); }

  // scope_lifecycle.cpp
  void cancel() noexcept;
  bool dispose_by_policy() noexcept;
  bool detach_coroutines() noexcept;
  void add_finally(std::function<void()> handler);
  void run_finally(std::vector<std::function<void()>> handlers) noexcept;
  const std::vector<std::function<void()>>& finally_handlers() const noexcept { return finally_; }
  void own(ChannelBase& channel);
  // For destructors: waits until every coroutine has finished or was abandoned. Cancellation is delivered afterwards.
  void wait_for_end() noexcept;

  // scope_timer.cpp
  void set_deadline(TimePoint when) noexcept;
  void set_dispose_at(TimePoint when) noexcept;
  // While coroutines that are not members work in this scope, its timer stays armed even if the scope is empty.
  void set_has_external_workers(bool has) noexcept;
  std::optional<TimePoint> effective_deadline() const noexcept;

  bool is_root() const noexcept { return kind_ == Kind::root; }
  bool is_idle() const noexcept { return active_ == 0; }
  bool is_empty() const noexcept { return live_ == 0; }
  bool is_closed() const noexcept;
  bool is_cancelled() const noexcept { return cancelled_; }
  bool is_expired() const noexcept { return deadline_passed_; }
  bool is_awaited() const noexcept { return awaiters != 0 || has_subscribers() || end_event_.has_subscribers(); }
  bool is_ancestor_of(const ScopeState& other) const noexcept;
  Scheduler& scheduler() const noexcept { return scheduler_; }
  bool is_on_owner_thread() const noexcept { return Scheduler::current() == &scheduler_; }
  ScopeState* parent() const noexcept { return parent_.get(); }
  const IntrusiveList<ScopeState>& children() const noexcept { return children_; }
  std::size_t size() const noexcept { return members_.size(); }
  Event& end_event() noexcept { return end_event_; }
  std::vector<std::exception_ptr> take_errors() noexcept { return std::exchange(errors_, {}); }

  void pin() noexcept { ++pins_; }
  void unpin() noexcept;
  void add_handle() noexcept { ++handles_; }
  void drop_handle() noexcept;

  ScopeErrorHandler on_error;
  ScopeErrorHandler on_child_error;
  IntrusiveList<EndObserver> end_observers;  // the first observer gets the errors
  ScopeListener* listener = nullptr;         // notified after the members of the scope
  unsigned awaiters = 0;                     // coroutines that await the scope, or were woken and have not run yet
  bool detaches_on_dispose = false;          // dispose() makes zombies instead of cancelling
  bool collects_errors = false;              // TaskScope: errors are kept for join(), even if the task is awaited too
  std::shared_ptr<ContextValues> context;
  std::shared_ptr<void> host;  // data of a host; destroyed before the scope is removed from its parent

 protected:
  void dispose() noexcept override;

 private:
  friend struct ScopeTimer;

  ScopeState(Scheduler& scheduler, ScopeState* parent, Kind kind) noexcept;
  ~ScopeState() override = default;

  // The next scope in a pre-order traversal of the subtree of `top`; null at the end.
  ScopeState* next_in(const ScopeState& top, bool skip_children) noexcept;
  void count_up(std::size_t ScopeState::*count) noexcept;
  void count_down(std::size_t ScopeState::*count, std::size_t by) noexcept;
  void on_zero(std::size_t ScopeState::*count) noexcept;
  enum class ErrorDisposition : std::uint8_t { handled, propagate };
  static bool propagate_error(ScopeState* from, ControlBlock& block, std::exception_ptr error,
                              bool from_child) noexcept;
  ErrorDisposition try_handle_error(ControlBlock& block, std::exception_ptr& error, bool from_child) noexcept;
  void finish_if_done() noexcept;
  void arm_timer() noexcept;
  void on_timer() noexcept;
  void expire_subtree() noexcept;

  Scheduler& scheduler_;
  Ref<ScopeState> parent_;
  IntrusiveList<ScopeState> children_;
  ScopeMembers members_;
  std::size_t active_ = 0;
  std::size_t live_ = 0;
  Kind kind_;
  bool closed_ = false;
  bool cancelled_ = false;
  bool finished_ = false;
  bool detached_ = false;  // all coroutines are zombies, also those spawned later
  bool deadline_passed_ = false;
  bool has_external_workers_ = false;
  unsigned internal_spawns_ = 0;  // while not 0, a closed scope accepts spawns: those of finally handlers
  unsigned pins_ = 0;
  unsigned handles_ = 0;
  std::vector<std::exception_ptr> errors_;  // kept for awaiters of the scope
  std::vector<std::function<void()>> finally_;
  std::vector<Ref<ChannelBase>> channels_;
  TimePoint deadline_at_ = TimePoint::max();
  TimePoint dispose_at_ = TimePoint::max();
  ScopeEndEvent end_event_{*this};
  ScopeTimer timer_{*this};
};

}  // namespace trueasync::detail
