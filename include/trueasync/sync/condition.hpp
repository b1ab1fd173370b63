// Condition: suspends coroutines until another coroutine notifies a change. Waiters are woken in FIFO order.
//
// A notification without a waiter is not stored, so check the state in a loop or pass a predicate to wait(). A Mutex is
// needed only if the state is changed across suspension points. It is unlocked during the wait and locked again
// afterwards, however the wait ended. Exception: if a deadlock or a forced shutdown prevents locking, the guard does
// not own the mutex afterwards.
//
// Lifetime: must outlive its waiters (checked).
// Thread safety: one runtime.
// Errors: wait() throws Cancelled, TimeoutError if the time of `options` expires, OperationCancelled if its token fires.
#pragma once

#include <type_traits>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/sync/mutex.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Condition {
 public:
  void wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  void wait(Mutex::Guard& guard, WaitOptions options = {}, SourceLocation location = SourceLocation::current());

  // Waits until is_true() returns true. `options` bound all waits together.
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(F is_true, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    if (options.has_time()) options = detail::with_fixed_deadline(options);
    while (!is_true()) wait(options, location);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(Mutex::Guard& guard, F is_true, WaitOptions options = {},
            SourceLocation location = SourceLocation::current()) {
    if (options.has_time()) options = detail::with_fixed_deadline(options);
    while (!is_true()) wait(guard, options, location);
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

  Queue queue_;
};

}  // namespace trueasync
