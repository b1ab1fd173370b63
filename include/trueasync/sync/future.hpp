// Future: a shared handle to a result that is set once by a Promise. It can be awaited any number of times; awaiting a
// completed future does not suspend.
//
// map(), catch_error() and finally() return a new future for the result of a callback. Each chain is independent. The
// callback runs in its own coroutine, spawned when the result is set (immediately if it is), so it may suspend. A
// result that passes a link unchanged, such as an error through map(), needs no coroutine.
//
// Ownership: a share of the result.
// Lifetime: may outlive the runtime.
// Thread safety: one runtime, completion included.
// Errors: await() throws the error of the future. An error that is unobserved when the last handle is destroyed is
// unhandled and shuts the runtime down, unless ignore() was called. A Promise destroyed without a result breaks:
// awaiters get BrokenPromiseError; without an awaiter this is no error.
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

// FutureError: the future already has a result.
class TRUEASYNC_EXPORT FutureError : public Error {
 public:
  using Error::Error;
  ~FutureError() override;
};

// BrokenPromiseError: the promise was destroyed without a result.
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

  // A future that already has a value.
  static Future completed(typename State::Stored value = {}, SourceLocation location = SourceLocation::current()) {
    return Future(Ref<State>::adopt(new State(std::in_place, std::move(value), location)));
  }
  // A future that already has an error.
  static Future failed(std::exception_ptr error, SourceLocation location = SourceLocation::current()) {
    Future future(Ref<State>::adopt(new State(location)));
    future.state_->fail(std::move(error), location);
    return future;
  }

  explicit operator bool() const noexcept { return static_cast<bool>(state_); }
  // Fires when the future is settled; for waiting on several events.
  Event& event() const { return state(); }
  bool is_completed() const { return state().phase() != detail::FuturePhase::pending; }
  bool is_failed() const { return state().phase() == detail::FuturePhase::error; }
  bool is_cancelled() const { return state().phase() == detail::FuturePhase::cancelled; }
  // Marks the error as observed, so that it never is unhandled.
  const Future& ignore() const {
    state().ignore();
    return *this;
  }
  SourceLocation creation_location() const { return state().creation_location(); }
  SourceLocation completion_location() const { return state().completion_location(); }

  // function(value) returns the value of the new future. The rvalue overload moves the value, for types that cannot be
  // copied.
  template <class F>
  auto map(F&& function, SourceLocation location = SourceLocation::current()) const&;
  template <class F>
  auto map(F&& function, SourceLocation location = SourceLocation::current()) &&;
  // function(std::exception_ptr) returns a value in place of the error. Cancellation passes unchanged.
  template <class F>
  Future catch_error(F&& function, SourceLocation location = SourceLocation::current()) const&;
  template <class F>
  Future catch_error(F&& function, SourceLocation location = SourceLocation::current()) &&;
  // function() returns void; then the result passes unchanged. If it throws, its error replaces the result.
  template <class F>
  Future finally(F&& function, SourceLocation location = SourceLocation::current()) const&;
  template <class F>
  Future finally(F&& function, SourceLocation location = SourceLocation::current()) &&;

  State& state(const char* operation = "Future") const {
    if (!state_) detail::throw_empty_future(operation);
    return *state_;
  }
  const Ref<State>& shared_state() const noexcept { return state_; }

 private:
  Ref<State> state_;
};

// Promise: sets the result of a Future, once.
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

  // Each sets the result; FutureError if it is already set.
  void complete(typename State::Stored value, SourceLocation location = SourceLocation::current()) const {
    state().complete(std::move(value), location);
  }
  void complete(SourceLocation location = SourceLocation::current()) const requires std::is_void_v<T> {
    state().complete({}, location);
  }
  void fail(std::exception_ptr error, SourceLocation location = SourceLocation::current()) const {
    state().fail(std::move(error), location);
  }
  // Awaiters get Cancelled.
  void cancel(SourceLocation location = SourceLocation::current()) const {
    state().check_can_settle();
    state().settle(detail::FuturePhase::cancelled, nullptr, location);
  }
  // Sets the result to what `function` returns or throws. If `function` itself settles the promise, its exception
  // propagates.
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
T await_copy(const Future<T>& future, WaitOptions options, SourceLocation location) {
  FutureState<T>& state = future.state("await");
  if (state.phase() == FuturePhase::value) return state.copy();
  Ref<FutureState<T>> hold(&state);  // the caller's future may be destroyed during the wait
  state.join(options, location);
  return state.copy();
}

template <class T>
T await_take(Future<T>& future, WaitOptions options, SourceLocation location) {
  Ref<FutureState<T>> hold(&future.state("await"));
  if (hold->phase() != FuturePhase::value) hold->join(options, location);
  return hold->take(future.shared_state().get() == hold.get() ? 2 : 1);
}

}  // namespace detail

// Waits for the result. It is copied from a named future. It is moved from a temporary or moved future if this is the
// last handle or the type cannot be copied. TimeoutError if the time of `options` expires first, OperationCancelled if
// its token fires first.
template <class T>
T await(const Future<T>& future, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
  return detail::await_copy(future, options, location);
}
template <class T>
T await(Future<T>&& future, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
  return detail::await_take(future, options, location);
}

}  // namespace trueasync

#include "trueasync/detail/future_chain.hpp"
