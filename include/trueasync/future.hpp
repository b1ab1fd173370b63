// Future<T>: a result that somebody will have, and Promise<T>: the one who will set it. Set once; awaited by anybody,
// any number of times; one that is ready costs nothing to await.
//
// map, catch_error and finally make a new future from what a callback makes of the result. Each chain is independent of
// the others. The callback runs in a coroutine of its own, spawned when the result is there (at once if it is), so it may
// suspend; what passes a link unchanged – an error a map, a value a catch_error – needs none.
//
// Owns: a share of the result. Lifetime: may outlive the runtime. Threads: the runtime's thread, completion included.
// Errors: await throws what the future failed with. A failure that nobody took when the last handle goes is unhandled
// and shuts the runtime down, unless ignore() was called. A promise that goes without a result breaks: whoever awaits
// gets BrokenPromiseError; if nobody does, nothing has failed.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

#include "trueasync/detail/future_state.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// A future that has its result can't get another one.
class TRUEASYNC_EXPORT FutureError : public Error {
 public:
  using Error::Error;
  ~FutureError() override;
};

class TRUEASYNC_EXPORT BrokenPromiseError : public FutureError {
 public:
  using FutureError::FutureError;
  ~BrokenPromiseError() override;
};

template <class T>
class Future {
 public:
  using Value = T;
  using State = detail::FutureState<T>;

  Future() noexcept = default;
  explicit Future(Ref<State> state) noexcept : state_(std::move(state)) {}

  static Future completed(typename State::Stored value = {}, SourceLocation location = SourceLocation::current()) {
    return Future(Ref<State>::adopt(new State(std::in_place, std::move(value), location)));
  }
  static Future failed(std::exception_ptr error, SourceLocation location = SourceLocation::current()) {
    Future future(Ref<State>::adopt(new State(location)));
    future.state_->fail(std::move(error), location);
    return future;
  }

  explicit operator bool() const noexcept { return static_cast<bool>(state_); }
  // It fires when the future has its result; for waits of several events.
  Event& event() const { return state(); }
  bool is_completed() const { return state().phase() != detail::FuturePhase::pending; }
  bool is_failed() const { return state().phase() == detail::FuturePhase::error; }
  bool is_cancelled() const { return state().phase() == detail::FuturePhase::cancelled; }
  // A failure nobody takes is no matter.
  const Future& ignore() const {
    state().ignore();
    return *this;
  }
  SourceLocation creation_location() const { return state().creation_location(); }
  SourceLocation completion_location() const { return state().completion_location(); }

  // function(value) → the new future's value. A moved future gives its value away: for what can't be copied.
  template <class F>
  auto map(F&& function, SourceLocation location = SourceLocation::current()) const&;
  template <class F>
  auto map(F&& function, SourceLocation location = SourceLocation::current()) &&;
  // function(std::exception_ptr) → a value in place of the error. A cancellation passes.
  template <class F>
  Future catch_error(F&& function, SourceLocation location = SourceLocation::current()) const&;
  template <class F>
  Future catch_error(F&& function, SourceLocation location = SourceLocation::current()) &&;
  // function() → nothing; then the result passes on. If it throws, its error takes the result's place.
  template <class F>
  Future finally(F&& function, SourceLocation location = SourceLocation::current()) const&;
  template <class F>
  Future finally(F&& function, SourceLocation location = SourceLocation::current()) &&;

  State& state(const char* what = "Future") const {
    if (!state_) detail::throw_empty_future(what);
    return *state_;
  }
  const Ref<State>& shared_state() const noexcept { return state_; }

 private:
  Ref<State> state_;
};

template <class T>
class Promise {
 public:
  using State = detail::FutureState<T>;

  explicit Promise(SourceLocation location = SourceLocation::current()) {
    detail::require_runtime("Promise");
    state_ = Ref<State>::adopt(new State(location));
  }
  Promise(Promise&&) noexcept = default;
  Promise& operator=(Promise&& other) noexcept {
    drop();
    state_ = std::move(other.state_);
    return *this;
  }
  ~Promise() { drop(); }

  Future<T> future() const { return Future<T>(Ref<State>(&state())); }
  bool is_completed() const { return state().phase() != detail::FuturePhase::pending; }

  // Each sets the result; FutureError if there is one.
  void complete(typename State::Stored value, SourceLocation location = SourceLocation::current()) const {
    state().complete(std::move(value), location);
  }
  void complete(SourceLocation location = SourceLocation::current()) const requires std::is_void_v<T> {
    state().complete({}, location);
  }
  void fail(std::exception_ptr error, SourceLocation location = SourceLocation::current()) const {
    state().fail(std::move(error), location);
  }
  // Whoever awaits gets Cancelled.
  void cancel(SourceLocation location = SourceLocation::current()) const {
    state().check_can_settle();
    state().settle(detail::FuturePhase::cancelled, nullptr, location);
  }
  // With what `function` returns or throws. If `function` sets the result itself, what it throws goes out.
  template <class F>
  void complete_with(F&& function, SourceLocation location = SourceLocation::current()) const {
    state().check_can_settle();
    Ref<State>(state_)->complete_from(std::forward<F>(function), location);
  }
  void ignore() const { state().ignore(); }

 private:
  State& state() const {
    if (!state_) detail::throw_empty_future("Promise");
    return *state_;
  }
  void drop() noexcept {
    if (state_) state_->break_promise();
  }

  Ref<State> state_;
};

namespace detail {

template <class T>
T await_copy(const Future<T>& future, Event* token, SourceLocation location) {
  FutureState<T>& state = future.state("await");
  if (state.phase() == FuturePhase::value) return state.copy();
  Ref<FutureState<T>> hold(&state);  // whoever has the future may let it go meanwhile
  state.join(token, location);
  return state.copy();
}

template <class T>
T await_take(Future<T>& future, Event* token, SourceLocation location) {
  Ref<FutureState<T>> hold(&future.state("await"));
  if (hold->phase() != FuturePhase::value) hold->join(token, location);
  return hold->take(future.shared_state().get() == hold.get() ? 2 : 1);
}

}  // namespace detail

// Waits for the result. From a named future it is copied; a temporary or moved one gives it away if nobody else has a
// share of it, or if it can't be copied. If `token` fires first: OperationCancelled.
template <class T>
T await(const Future<T>& future, SourceLocation location = SourceLocation::current()) {
  return detail::await_copy(future, nullptr, location);
}
template <class T>
T await(const Future<T>& future, Event& token, SourceLocation location = SourceLocation::current()) {
  return detail::await_copy(future, &token, location);
}
template <class T>
T await(Future<T>&& future, SourceLocation location = SourceLocation::current()) {
  return detail::await_take(future, nullptr, location);
}
template <class T>
T await(Future<T>&& future, Event& token, SourceLocation location = SourceLocation::current()) {
  return detail::await_take(future, &token, location);
}

}  // namespace trueasync

#include "trueasync/detail/future_chain.hpp"
