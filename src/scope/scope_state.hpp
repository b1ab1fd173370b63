// The record of one scope, behind Scope, TaskScope and Context.
//
// Two counts, each of the scope's own coroutines plus the child scopes that have any:
//   active_  without zombies; zero is what await_completion waits for (the event), and what is_finished() says
//   living_  with them; zero and closed and not pinned: the scope is over, finally handlers run
// A change between zero and one goes on to the parent, so both are O(depth) at worst and O(1) mostly.
//
// Lifetime: counted. Handles, coroutines and child scopes hold it; it holds its parent, never its members.
// Threads: the scheduler's.
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
#include "trueasync/scope.hpp"

namespace trueasync::detail {

struct ContextValues;

// Fires when a scope has no coroutine left at all.
class ScopeEndEvent final : public Event {
 public:
  explicit ScopeEndEvent(const ScopeState& scope) noexcept : scope_(scope) {}
  bool replay(Notification& result) const noexcept override;
  std::string describe() const override { return "the end of a scope, zombies included"; }
  void fire() noexcept { notify({}); }

 protected:
  void dispose() noexcept override {}  // a part of its scope

 private:
  const ScopeState& scope_;
};

// Somebody who awaits the end of a scope and hears of the errors until then. Lives on the waiting coroutine's stack.
struct EndObserver : ListHook {
  EndObserver(IntrusiveList<EndObserver>& all, const ScopeErrorHandler& told) noexcept : handler(told) {
    all.push_back(*this);
  }
  ~EndObserver() { unlink(); }
  EndObserver(const EndObserver&) = delete;
  EndObserver& operator=(const EndObserver&) = delete;

  const ScopeErrorHandler& handler;
};

// One for everything a scope does at a time of its own: the deadline, and dispose_after. Armed while somebody lives.
struct ScopeTimer : Timer {
  ScopeTimer(ScopeState& owner) noexcept;
  ScopeState& scope;
};

class ScopeState final : public Event, public CoroutineOwner, public ListHook {
 public:
  enum class Kind : std::uint8_t { root, plain };

  static Ref<ScopeState> make(Scheduler& scheduler, ScopeState* parent);
  // Made on demand; the scheduler keeps it until it is detached.
  static ScopeState& root(Scheduler& scheduler);
  // The one a coroutine spawns in; the one an owner is, or stands for.
  static ScopeState& of(ControlBlock& block);
  static ScopeState& of(CoroutineOwner& owner);

  // CoroutineOwner
  void attach(ControlBlock& block) override;
  void on_finished(ControlBlock& block) noexcept override;
  void release_owner() noexcept override { release(); }
  bool handle_unobserved_error(ControlBlock& block, const std::exception_ptr& error) noexcept override;
  // Nobody here will deal with this error: it goes to the scopes above, else to the runtime.
  void report_to_parent(const std::exception_ptr& error) noexcept;
  // The same with those that were kept for somebody who awaited the scope and has left.
  void propagate_kept_errors() noexcept;
  std::exception_ptr deadline_error(ControlBlock& block) noexcept override;

  // Event
  bool replay(Notification& result) const noexcept override;
  std::string describe() const override { return "a scope"; }
  void mark_error_observed() noexcept override { errors_.clear(); }

  // scope_dispose.cpp
  void cancel() noexcept;
  bool dispose_by_policy() noexcept;
  bool detach_coroutines() noexcept;
  void add_finally(std::function<void()> handler);
  void run_finally(std::vector<std::function<void()>> handlers) noexcept;
  const std::vector<std::function<void()>>& finally_handlers() const noexcept { return finally_; }
  void own(ChannelBase& channel);
  // For destructors: until everybody has ended or was given up, whatever comes. A cancellation is delivered afterwards.
  void wait_for_end() noexcept;

  // scope_timer.cpp
  void set_deadline(TimePoint when) noexcept;
  void set_dispose_at(TimePoint when) noexcept;
  // Coroutines are at work here that are no members: its times count, as if somebody lived in it.
  void set_has_external_workers(bool has) noexcept;
  std::optional<TimePoint> effective_deadline() const noexcept;

  bool is_root() const noexcept { return kind_ == Kind::root; }
  bool is_idle() const noexcept { return active_ == 0; }
  bool is_settled() const noexcept { return living_ == 0; }
  bool is_closed() const noexcept;
  bool is_cancelled() const noexcept { return cancelled_; }
  bool is_expired() const noexcept { return deadline_passed_; }
  bool is_awaited() const noexcept { return awaiters != 0 || has_subscribers() || settled_.has_subscribers(); }
  bool is_ancestor_of(const ScopeState& other) const noexcept;
  Scheduler& scheduler() const noexcept { return scheduler_; }
  bool is_on_owner_thread() const noexcept { return Scheduler::current() == &scheduler_; }
  ScopeState* parent() const noexcept { return parent_.get(); }
  const IntrusiveList<ScopeState>& children() const noexcept { return children_; }
  std::size_t size() const noexcept { return members_.size(); }
  Event& settled() noexcept { return settled_; }
  std::vector<std::exception_ptr> take_errors() noexcept { return std::exchange(errors_, {}); }

  void pin() noexcept { ++pins_; }
  void unpin() noexcept;
  void add_handle() noexcept { ++handles_; }
  void drop_handle() noexcept;

  ScopeErrorHandler on_error;
  ScopeErrorHandler on_child_error;
  IntrusiveList<EndObserver> ending;  // of await_after_cancellation; the first of them gets the errors
  ScopeListener* listener = nullptr;  // told after everybody in it
  unsigned awaiters = 0;              // who awaits it or has been woken and not run yet
  bool detaches_on_dispose = false;   // dispose() makes zombies
  bool collects_errors = false;       // a TaskScope's: every error of a coroutine is taken at once, for join()
  std::shared_ptr<ContextValues> context;
  std::shared_ptr<void> host;  // what a host keeps with the scope; goes first when that dies

 protected:
  void dispose() noexcept override;

 private:
  friend struct ScopeTimer;

  ScopeState(Scheduler& scheduler, ScopeState* parent, Kind kind) noexcept;
  ~ScopeState() override = default;

  // The next scope of the subtree of `top`, parents first; `skip_below` leaves out what is below this one.
  ScopeState* next_in(const ScopeState& top, bool skip_below) noexcept;
  void count_up(std::size_t ScopeState::*count) noexcept;
  void count_down(std::size_t ScopeState::*count, std::size_t by) noexcept;
  void on_zero(std::size_t ScopeState::*count) noexcept;
  enum class ErrorDisposition : std::uint8_t { handled, propagate };
  static bool propagate_error(ScopeState* from, ControlBlock& block, std::exception_ptr error,
                              bool from_below) noexcept;
  ErrorDisposition try_handle_error(ControlBlock& block, std::exception_ptr& error, bool from_below) noexcept;
  void finish_if_done() noexcept;
  void arm_timer() noexcept;
  void on_timer() noexcept;
  void expire_subtree() noexcept;

  Scheduler& scheduler_;
  Ref<ScopeState> parent_;
  IntrusiveList<ScopeState> children_;
  ScopeMembers members_;
  std::size_t active_ = 0;
  std::size_t living_ = 0;
  Kind kind_;
  bool closed_ = false;
  bool cancelled_ = false;
  bool finished_ = false;
  bool detached_ = false;  // who runs here is a zombie, and so is who comes
  bool deadline_passed_ = false;
  bool has_external_workers_ = false;
  unsigned internal_spawns_ = 0;  // the runtime's own coroutines come in though it is closed
  unsigned pins_ = 0;
  unsigned handles_ = 0;
  std::vector<std::exception_ptr> errors_;  // of coroutines, for those who await the scope
  std::vector<std::function<void()>> finally_;
  std::vector<Ref<ChannelBase>> channels_;
  TimePoint deadline_at_ = TimePoint::max();
  TimePoint dispose_at_ = TimePoint::max();
  ScopeEndEvent settled_{*this};
  ScopeTimer timer_{*this};
};

}  // namespace trueasync::detail
