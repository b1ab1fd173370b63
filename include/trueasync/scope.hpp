// Scope: the tree of lifetimes. Every coroutine belongs to one scope; spawn() inherits the spawner's. A scope knows its
// coroutines and its child scopes, cancels them together, waits for them, and hears of errors nobody awaits.
//
// Failing together is the default: an error that nobody awaits cancels the scope it happened in, and travels up; at the
// top it is unhandled and ends the runtime. A scope with an exception handler is a supervisor: the handler gets the
// error, the others go on. Whoever awaits a scope gets its errors instead of those above it.
//
// Owns: a share of the scope. When the last Scope that was made by Scope(), inherit() or a copy of such a one goes, the
// scope is disposed of. Lifetime: coroutines keep their scope's record; handles may outlive the runtime.
// Threads: the runtime's. Errors: MisuseError for a spawn into a closed scope and for awaiting the scope one is in.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "trueasync/composite_error.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/deadline.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/task.hpp"

namespace trueasync {

namespace detail {
class ChannelBase;
class ScopeState;
// For SpawnOptions.
TRUEASYNC_EXPORT CoroutineOwner* owner_of(ScopeState& state) noexcept;
}  // namespace detail

// Called with the error and the coroutine it came from. Must not suspend. What it throws travels up instead.
using ScopeErrorHandler = std::function<void(const std::exception_ptr& error, const Coroutine& from)>;

class TRUEASYNC_EXPORT Scope {
 public:
  // Without a parent: nobody cancels it from above, and it sees no context but its own.
  Scope();
  // A child of `parent`, or of the current coroutine's scope.
  static Scope inherit(const Scope& parent);
  static Scope inherit();
  // Names the current coroutine's scope, or the runtime's root, without owning a share in its disposal.
  static Scope current();
  static Scope root();

  explicit Scope(Ref<detail::ScopeState> state) noexcept;  // names it
  Scope(const Scope& other) noexcept;
  Scope(Scope&& other) noexcept;
  Scope& operator=(Scope other) noexcept;
  ~Scope();

  friend bool operator==(const Scope& a, const Scope& b) noexcept { return a.state_.get() == b.state_.get(); }

  template <std::invocable F>
  auto spawn(SpawnOptions options, F&& function, SourceLocation location = SourceLocation::current()) {
    options.owner = detail::owner_of(*state_);
    return trueasync::spawn(options, std::forward<F>(function), location);
  }
  template <std::invocable F>
  auto spawn(F&& function, SourceLocation location = SourceLocation::current()) {
    return spawn(SpawnOptions{}, std::forward<F>(function), location);
  }

  // Closes the scope and asks every coroutine in it and below it to end. Never goes up. The root's: a shutdown.
  void cancel();

  // Waits until nothing in or below it is active; zombies do not count, but the finally handlers that their end runs in
  // this scope are active again. Throws what nobody else has dealt with, and OperationCancelled if `token` fires first.
  void await_completion(SourceLocation location = SourceLocation::current()) const;
  void await_completion(Event& token, SourceLocation location = SourceLocation::current()) const;
  // For a closed scope: waits until everything has ended, zombies too. Errors on the way go to the handler.
  void await_after_cancellation(const ScopeErrorHandler& handler = nullptr,
                                SourceLocation location = SourceLocation::current()) const;
  void await_after_cancellation(const ScopeErrorHandler& handler, Event& token,
                                SourceLocation location = SourceLocation::current()) const;

  // Ends the scope: cancels what runs (SC-03), or lets go of it as zombies where allow_zombies() was said. False while
  // an owner has it pinned: then nothing happens.
  bool dispose();
  // Lets go: the coroutines run on as zombies, which neither keep the program alive nor count as a deadlock (SC-14).
  bool dispose_safely();
  // dispose(), cancelling, when that time has passed; not if everything has ended by then.
  void dispose_after(std::chrono::nanoseconds timeout);
  // What dispose() does; inherited by scopes made below from now on.
  Scope& allow_zombies() noexcept;
  Scope& as_not_safely() noexcept;

  // Errors of its own coroutines, and of scopes below it; without the second the first gets both.
  void set_exception_handler(ScopeErrorHandler handler);
  void set_child_scope_exception_handler(ScopeErrorHandler handler);
  // Runs when the scope is closed and everything in it has ended; at once if it has. In a coroutine of the parent's, so
  // it may suspend. All run; their errors, several as a CompositeError, go to the exception handler, else to the parent.
  void finally(std::function<void()> handler);

  // The channel ends with the scope (CH-14): when that is closed and everything in it has ended the channel is closed,
  // for the reason scope_disposed. What is in it can still be received (CH-16).
  template <class C>
  C own(C channel) {
    own_channel(channel.base());
    return channel;
  }

  // One absolute time for every wait below: see deadline.hpp. The earliest on the way up counts. Not for the root.
  void set_timeout(TimePoint when);
  void set_timeout(std::chrono::nanoseconds from_now);
  // The one in force here.
  std::optional<TimePoint> deadline() const noexcept;

  bool is_finished() const noexcept;  // nothing in or below it is active
  bool is_closed() const noexcept;    // spawning here is an error
  bool is_cancelled() const noexcept;
  std::size_t size() const noexcept;  // its own coroutines, without those below; unknown (0) for the root
  std::vector<Scope> children() const;
  std::optional<Scope> parent() const;

  // It fires each time nothing is active any more.
  Event& event() const noexcept;
  detail::ScopeState& state() const noexcept { return *state_; }

 private:
  Scope(Ref<detail::ScopeState> state, bool owns) noexcept;
  void own_channel(detail::ChannelBase& channel);

  Ref<detail::ScopeState> state_;
  bool owns_ = false;
};

inline void await(const Scope& scope, SourceLocation location = SourceLocation::current()) {
  scope.await_completion(location);
}

// What an owner of its own kind hears of the scope it has pinned; not to suspend in.
class ScopeListener {
 public:
  virtual void on_cancelled() noexcept = 0;  // everybody in and below it has been asked to end
  virtual void on_deadline() noexcept {}     // its deadline has passed

 protected:
  ~ScopeListener() = default;
};

// For an owner of its own kind, such as a group (SC-05, SC-06): while one of these exists the scope lives, refuses to be
// disposed of and is not over, whatever its parents do. It can still be cancelled, which a listener is told.
class TRUEASYNC_EXPORT ScopePin {
 public:
  explicit ScopePin(const Scope& scope, ScopeListener* listener = nullptr) noexcept;
  ScopePin(const ScopePin&) = delete;
  ScopePin& operator=(const ScopePin&) = delete;
  ~ScopePin();

 private:
  Ref<detail::ScopeState> state_;
};

}  // namespace trueasync
