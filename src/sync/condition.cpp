#include "trueasync/sync/condition.hpp"

#include "trueasync/cancel.hpp"

namespace trueasync {

void Condition::Queue::notify_one() noexcept {
  if (WaitEntry* waiter = waiters().pop_front()) {
    *static_cast<bool*>(waiter->owner) = true;
    detail::wake_waiter(*waiter);
  }
}

bool Condition::Queue::reclaim(Subscription& subscription) noexcept {
  const auto& entry = static_cast<const WaitEntry&>(subscription);
  if (*static_cast<const bool*>(entry.owner)) notify_one();
  return true;
}

namespace {

// Defers cancellation: a cancelled wait() must throw with the mutex locked.
void lock_again(Mutex::Guard& guard, SourceLocation location) {
  detail::CancellationShield shield;
  guard.mutex()->lock({}, location);
  Mutex* mutex = guard.release();
  guard = Mutex::Guard(*mutex, std::adopt_lock);
}

}  // namespace

void Condition::wait(WaitOptions options, SourceLocation location) {
  bool notified_alone = false;  // by notify_one(): if this waiter is cancelled, the next waiter must be notified
  queue_.wait(options, location, &notified_alone);
}

void Condition::wait(Mutex::Guard& guard, WaitOptions options, SourceLocation location) {
  guard.unlock();
  try {
    wait(options, location);
  } catch (...) {  // no scope guard: lock_again() may throw DeadlockError, and a destructor must not
    lock_again(guard, location);
    throw;
  }
  lock_again(guard, location);
}

}  // namespace trueasync
