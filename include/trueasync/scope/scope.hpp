// Scope: a node in the tree of coroutine lifetimes. Every coroutine belongs to one scope; spawn() inherits the
// spawner's scope.
//
// A scope knows its coroutines and child scopes, cancels them together, waits for them and receives unobserved errors.
// By default coroutines fail together: an unobserved error cancels its scope and propagates to the parent; at the root
// it is unhandled and ends the runtime. A scope with an exception handler is a supervisor: the handler gets the error
// and the other coroutines continue. A coroutine that awaits a scope gets its errors instead of the parent scope.
//
// Ownership: Scope owns a share: the scope is disposed when its last Scope is destroyed. ScopeRef only refers to a
// scope; Scope::current(), Scope::root(), children() and parent() return one.
// Lifetime: both may outlive the runtime; a ScopeRef may outlive the disposal.
// Thread safety: one runtime.
// Errors: MisuseError for a spawn into a closed scope and for awaiting the caller's own scope.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "trueasync/coroutine.hpp"
#include "trueasync/detail/access.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/task.hpp"

namespace trueasync {

// Deadlines inherited through scopes, see Scope::set_deadline() and Scope::set_timeout(). Every wait
// of a coroutine in that scope or a child scope ends when the deadline passes. Waits cost nothing extra, with or
// without a deadline.
//
// DeadlineError is delivered like a cancellation. It is sticky: a coroutine that catches it and continues gets it again
// at the next suspension point. While a DeadlineError exists, during unwinding and inside the catch block, cleanup code
// may suspend. protect() defers delivery. A coroutine that is also cancelled gets Cancelled.
//
// Thread safety: one runtime; the error is a plain value.

// DeadlineError: the deadline of the coroutine's scope has passed, in contrast to the timeout of one wait.
class TRUEASYNC_EXPORT DeadlineError : public TimeoutError {
 public:
  DeadlineError(const DeadlineError& other) noexcept;
  DeadlineError& operator=(const DeadlineError&) = delete;
  ~DeadlineError() override;

 private:
  friend struct detail::Access;
  // `in_flight` counts the existing errors of the coroutine.
  DeadlineError(const std::string& message, std::shared_ptr<unsigned> in_flight);

  std::shared_ptr<unsigned> in_flight_;
};

// The earliest deadline that applies to the running coroutine, and the remaining time (zero if it has passed).
// std::nullopt if there is no deadline.
TRUEASYNC_EXPORT std::optional<TimePoint> current_deadline();
TRUEASYNC_EXPORT std::optional<std::chrono::nanoseconds> remaining_time();

namespace detail {
class ChannelBase;
class ScopeState;
// The owner for spawn_in().
TRUEASYNC_EXPORT CoroutineOwner* owner_of(ScopeState& state) noexcept;
}  // namespace detail

// ScopeErrorHandler: called with an unobserved error and the coroutine it came from. Must not suspend. An exception it
// throws propagates to the parent instead.
using ScopeErrorHandler = std::function<void(const std::exception_ptr& error, const Coroutine& from)>;

// ScopeRef: refers to a scope without owning it. A Scope converts to a ScopeRef.
class TRUEASYNC_EXPORT ScopeRef {
 public:
  // The current coroutine's scope, and the root scope.
  static ScopeRef current();
  static ScopeRef root();

  ScopeRef(const ScopeRef& other) noexcept;
  ScopeRef(ScopeRef&& other) noexcept;
  ScopeRef& operator=(ScopeRef other) noexcept;
  ~ScopeRef();

  friend bool operator==(const ScopeRef& a, const ScopeRef& b) noexcept { return a.state_.get() == b.state_.get(); }

  template <std::invocable F>
  auto spawn(const SpawnOptions& options, F&& function, SourceLocation location = SourceLocation::current()) {
    return detail::spawn_in(detail::owner_of(*state_), options, std::forward<F>(function), location);
  }
  template <std::invocable F>
  auto spawn(F&& function, SourceLocation location = SourceLocation::current()) {
    return spawn(SpawnOptions{}, std::forward<F>(function), location);
  }

  // Closes the scope and requests cancellation of every coroutine in it and in its child scopes. Parents are not
  // affected. On the root scope it starts a shutdown.
  void cancel();

  // Waits until no coroutine in the scope or its child scopes is active. Zombies (coroutines that outlive their
  // disposed scope) do not count; the finally handlers that run when they finish do. Throws unobserved errors,
  // TimeoutError if the time of `options` expires first, OperationCancelled if its token fires first.
  void await_completion(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) const;
  // For a closed scope: waits until every coroutine has finished, zombies included. Errors that happen during the wait
  // go to `handler`.
  void await_after_cancellation(const ScopeErrorHandler& handler = nullptr, WaitOptions options = {},
                                SourceLocation location = SourceLocation::current()) const;

  // Ends the scope: cancels its coroutines, or detaches them as zombies after allow_zombies(). Returns false, without
  // effect, while a ScopePin exists.
  bool dispose();
  // Detaches the coroutines as zombies, which neither keep the program alive nor count for deadlock detection.
  bool dispose_safely();
  // Calls dispose() with cancellation after `timeout`, unless every coroutine has finished by then.
  void dispose_after(std::chrono::nanoseconds timeout);
  // allow_zombies(): dispose() detaches the coroutines. as_not_safely(): it cancels them (default). Inherited by child
  // scopes created later.
  ScopeRef& allow_zombies() noexcept;
  ScopeRef& as_not_safely() noexcept;

  // Handlers for errors of the scope's own coroutines and of child scopes. Without a handler for child scopes, the
  // exception handler gets both.
  void set_exception_handler(ScopeErrorHandler handler);
  void set_child_scope_exception_handler(ScopeErrorHandler handler);
  // Runs `handler` when the scope is closed and every coroutine has finished, or immediately if that is already
  // so. It runs in a coroutine of the parent scope and may suspend. All handlers run; their errors, several as a CompositeError, go to the
  // exception handler, else to the parent.
  void finally(std::function<void()> handler);

  // Ties a channel to the scope: when the scope is closed and every coroutine has finished, the channel is closed with
  // CloseReason::scope_disposed. Buffered values can still be received.
  template <class C>
  C own(C channel) {
    own_channel(channel.base());
    return channel;
  }

  // Sets a deadline for every wait in this scope and its child scopes, see DeadlineError. The earliest deadline up to
  // the root applies. MisuseError for the root scope.
  void set_deadline(TimePoint deadline);
  void set_timeout(std::chrono::nanoseconds timeout);  // the deadline is `timeout` from now
  // The deadline that applies in this scope.
  std::optional<TimePoint> deadline() const noexcept;

  bool is_finished() const noexcept;  // no coroutine in it or in child scopes is active
  bool is_closed() const noexcept;    // spawn() throws
  bool is_cancelled() const noexcept;
  std::size_t size() const noexcept;  // its own coroutines, without child scopes; 0 for the root
  std::vector<ScopeRef> children() const;
  std::optional<ScopeRef> parent() const;

  // Fires each time the scope has no active coroutine any more.
  Event& event() const noexcept;

 private:
  friend class Scope;
  friend struct detail::Access;
  explicit ScopeRef(Ref<detail::ScopeState> state) noexcept;
  void own_channel(detail::ChannelBase& channel);

  Ref<detail::ScopeState> state_;
};

// Scope: a ScopeRef with a share of the ownership. The scope is disposed when its last Scope is destroyed.
class TRUEASYNC_EXPORT Scope : public ScopeRef {
 public:
  // A scope without a parent: no parent cancels it, and it inherits no context.
  Scope();
  // A child of `parent`, or of the current coroutine's scope.
  static Scope inherit(const ScopeRef& parent);
  static Scope inherit();

  Scope(const Scope& other) noexcept;
  Scope(Scope&& other) noexcept;
  Scope& operator=(Scope other) noexcept;
  ~Scope();

  Scope& allow_zombies() noexcept {
    ScopeRef::allow_zombies();
    return *this;
  }
  Scope& as_not_safely() noexcept {
    ScopeRef::as_not_safely();
    return *this;
  }

 private:
  explicit Scope(Ref<detail::ScopeState> state) noexcept;
};

inline void await(const ScopeRef& scope, WaitOptions options = {},
                  SourceLocation location = SourceLocation::current()) {
  scope.await_completion(options, location);
}

// ScopeListener: notified about a pinned scope. Its functions must not suspend.
class ScopeListener {
 public:
  virtual void on_cancelled() noexcept = 0;  // cancellation was requested for every coroutine
  virtual void on_deadline() noexcept {}     // the deadline has passed

 protected:
  ~ScopeListener() = default;
};

// ScopePin: keeps a scope from being disposed and from finishing while the pin exists, whatever its parents do; used by
// task groups. The scope can still be cancelled; the listener is notified of that.
class TRUEASYNC_EXPORT ScopePin {
 public:
  explicit ScopePin(const ScopeRef& scope, ScopeListener* listener = nullptr) noexcept;
  ScopePin(const ScopePin&) = delete;
  ScopePin& operator=(const ScopePin&) = delete;
  ~ScopePin();

 private:
  Ref<detail::ScopeState> state_;
};

// TaskScope: a scope that waits for its coroutines. Its destructor cancels running coroutines and waits for them, so
// coroutines may refer to variables declared before it.
//
//   ta::TaskScope tasks;
//   tasks.spawn([&] { left = load("a"); });
//   tasks.spawn([&] { right = load("b"); });
//   tasks.join();                              // throws an error after every coroutine has finished
//
// Coroutines fail together: the error of a coroutine cancels the other coroutines and is thrown by join(), even if the
// task is awaited as well. The coroutine that created the scope is not cancelled; it gets the error from join().
//
// Ownership: the lifetimes of its coroutines.
// Lifetime: must be destroyed in the coroutine that created it, where it may suspend.
// Thread safety: one runtime.
// Errors: errors that join() has not thrown propagate to the surrounding scope in the destructor.
class TRUEASYNC_EXPORT TaskScope {
 public:
  // A child of the current coroutine's scope. Also works in the cleanup of a cancelled coroutine.
  TaskScope();
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;
  // Waits uninterruptibly: a cancellation is delivered at the next suspension point afterwards.
  ~TaskScope();

  template <std::invocable F>
  auto spawn(const SpawnOptions& options, F&& function, SourceLocation location = SourceLocation::current()) {
    return scope_.spawn(options, std::forward<F>(function), location);
  }
  template <std::invocable F>
  auto spawn(F&& function, SourceLocation location = SourceLocation::current()) {
    return scope_.spawn(std::forward<F>(function), location);
  }

  // Waits for all coroutines. Throws the error if one failed, a CompositeError if several failed. TimeoutError if the
  // time of `options` expires first, OperationCancelled if its token fires first; the coroutines continue to run.
  void join(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Closes the scope and requests cancellation of its coroutines; join() or the destructor waits for them.
  void cancel() { scope_.cancel(); }
  // The underlying scope, for handlers, deadlines and inspection.
  ScopeRef& scope() noexcept { return scope_; }

 private:
  ScopeRef scope_;  // pinned until the destructor
};

}  // namespace trueasync
