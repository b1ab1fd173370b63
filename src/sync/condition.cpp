#include "trueasync/condition.hpp"

#include "trueasync/cancel.hpp"

namespace trueasync {

void Condition::Queue::notify_one() noexcept {
  if (WaitEntry* waiter = waiters().pop_front()) {
    *static_cast<bool*>(waiter->owner) = true;
    detail::serve(*waiter);
  }
}

bool Condition::Queue::reclaim(Subscription& subscription) noexcept {
  const auto& entry = static_cast<const WaitEntry&>(subscription);
  if (*static_cast<const bool*>(entry.owner)) notify_one();
  return true;
}

namespace {

// A cancellation must not come in between.
void lock_again(Mutex::Guard& guard, Place place) {
  detail::ProtectGuard protect;
  guard.mutex()->lock(place);
  Mutex* mutex = guard.release();
  guard = Mutex::Guard(*mutex, std::adopt_lock);
}

}  // namespace

void Condition::wait_for(const detail::WaitLimits& limits, Place place) {
  bool is_alone = false;
  queue_.wait(limits, place, &is_alone);
}

void Condition::wait_for(Mutex::Guard& guard, const detail::WaitLimits& limits, Place place) {
  guard.unlock();
  try {
    wait_for(limits, place);
  } catch (...) {  // not in a destructor: this wait may end with an error too
    lock_again(guard, place);
    throw;
  }
  lock_again(guard, place);
}

}  // namespace trueasync
