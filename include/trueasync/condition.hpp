// Condition: suspends coroutines until another coroutine notifies a change. Waiters are woken in FIFO order.
//
// A notification without a waiter is not stored, so check the state in a loop or pass a predicate to wait(). A Mutex is
// needed only if the state is changed across suspension points. It is unlocked during the wait and locked again
// afterwards, however the wait ended. Exception: if a deadlock or a forced shutdown prevents locking, the guard does
// not own the mutex afterwards.
//
// Lifetime: must outlive its waiters (checked).
// Thread safety: one runtime.
// Errors: wait() throws Cancelled, TimeoutError if `timeout` expires, OperationCancelled if `token` fires.
#pragma once

#include <chrono>
#include <optional>
#include <type_traits>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/mutex.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Condition {
 public:
  using Limit = std::optional<std::chrono::nanoseconds>;

  void wait(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) {
    wait_for({.timeout = timeout}, location);
  }
  void wait(Event& token, SourceLocation location = SourceLocation::current()) {
    wait_for({.token = &token}, location);
  }
  void wait(Mutex::Guard& guard, Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) {
    wait_for(guard, {.timeout = timeout}, location);
  }
  void wait(Mutex::Guard& guard, Event& token, SourceLocation location = SourceLocation::current()) {
    wait_for(guard, {.token = &token}, location);
  }

  // Waits until is_true() returns true. `timeout` bounds all waits together.
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(F is_true, Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) {
    for (detail::RemainingTime left(timeout); !is_true();) wait(left.remaining(), location);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(Mutex::Guard& guard, F is_true, Limit timeout = std::nullopt,
            SourceLocation location = SourceLocation::current()) {
    for (detail::RemainingTime left(timeout); !is_true();) wait(guard, left.remaining(), location);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(F is_true, Event& token, SourceLocation location = SourceLocation::current()) {
    while (!is_true()) wait(token, location);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(Mutex::Guard& guard, F is_true, Event& token, SourceLocation location = SourceLocation::current()) {
    while (!is_true()) wait(guard, token, location);
  }

  void notify_one() noexcept { queue_.notify_one(); }
  void notify_all() noexcept { queue_.wake_all(); }

 private:
  // A notify_one() whose waiter is cancelled goes to the next waiter; after notify_all() every waiter has been woken.
  class TRUEASYNC_EXPORT Queue final : public detail::WaitQueue {
   public:
    Queue() noexcept : WaitQueue("a condition") {}
    void notify_one() noexcept;
    bool reclaim(Subscription& subscription) noexcept override;
  };

  void wait_for(const detail::WaitOptions& limits, SourceLocation location);
  void wait_for(Mutex::Guard& guard, const detail::WaitOptions& limits, SourceLocation location);

  Queue queue_;
};

}  // namespace trueasync
