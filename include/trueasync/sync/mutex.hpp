// Mutex: mutual exclusion across suspension points. Unlocking grants the mutex to the oldest waiter (FIFO order).
//
// Works with std::unique_lock and std::lock_guard; guard() also records the source location. Not recursive, not
// movable. Locking a free mutex is not a suspension point. The deadlock report shows a cycle of mutexes.
//
// Lifetime: must outlive its waiters (checked).
// Thread safety: one runtime; between threads use std::mutex and do not suspend while holding it.
// Errors: lock() throws Cancelled, TimeoutError if the time of `options` expires, OperationCancelled if its token fires.
#pragma once

#include <mutex>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class Mutex {
 public:
  using Guard = std::unique_lock<Mutex>;

  Mutex() noexcept : queue_("a mutex") {}

  void lock(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    if (!queue_.try_lock()) queue_.lock(options, location);
  }
  bool try_lock() noexcept { return queue_.try_lock(); }
  // Unlocking an unlocked mutex aborts the program, because the protected data may be corrupt.
  void unlock() noexcept {
    if (__builtin_expect(queue_.available() != 0, 0)) detail::fail_unlock();
    queue_.release_permit();
  }

  [[nodiscard]] Guard guard(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    lock(options, location);
    return Guard(*this, std::adopt_lock);
  }

  bool is_locked() const noexcept { return queue_.available() == 0; }

 private:
  detail::LockQueue queue_;
};

}  // namespace trueasync
