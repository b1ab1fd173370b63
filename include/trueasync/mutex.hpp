// Mutex: one at a time, across suspensions. First come first served; unlocking hands it straight to the oldest waiter.
// Works with std::unique_lock and std::lock_guard; guard() also remembers the place for reports. Not recursive.
//
// Owns: its state. Lifetime: outlives its waiters (checked); neither copied nor moved. Threads: one runtime's – between
// threads use std::mutex, briefly. Errors: lock throws Cancelled; TimeoutError with a limit, OperationCancelled with a
// token. Locking a free one is no suspension point. The report of a deadlock spells out a ring of mutexes.
#pragma once

#include <chrono>
#include <mutex>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class Mutex {
 public:
  using Guard = std::unique_lock<Mutex>;

  Mutex() noexcept : queue_("a mutex") {}

  void lock(SourceLocation location = SourceLocation::current()) {
    if (!queue_.try_lock()) queue_.lock({}, location);
  }
  void lock(std::chrono::nanoseconds timeout, SourceLocation location = SourceLocation::current()) {
    if (!queue_.try_lock()) queue_.lock({.timeout = timeout}, location);
  }
  void lock(Event& token, SourceLocation location = SourceLocation::current()) {
    if (!queue_.try_lock()) queue_.lock({.token = &token}, location);
  }
  bool try_lock() noexcept { return queue_.try_lock(); }
  // Unlocking one that is not locked ends the program: whatever it protected is not.
  void unlock() noexcept {
    if (__builtin_expect(queue_.available() != 0, 0)) detail::fail_unlock();
    queue_.release_permit();
  }

  [[nodiscard]] Guard guard(SourceLocation location = SourceLocation::current()) {
    lock(location);
    return Guard(*this, std::adopt_lock);
  }

  bool is_locked() const noexcept { return queue_.available() == 0; }

 private:
  detail::LockQueue queue_;
};

}  // namespace trueasync
