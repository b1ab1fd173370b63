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

void Condition::wait(Limit limit, Place place) {
  bool is_alone = false;
  queue_.wait({.limit = limit}, place, &is_alone);
}

void Condition::wait(Mutex::Guard& guard, Limit limit, Place place) {
  struct Relock {
    Mutex::Guard& guard;
    Place place;
    // A destructor that waits: a cancellation must not come in between.
    ~Relock() noexcept(false) {
      detail::ProtectGuard protect;
      guard.mutex()->lock(place);
      Mutex* mutex = guard.release();
      guard = Mutex::Guard(*mutex, std::adopt_lock);
    }
  };
  guard.unlock();
  Relock relock{guard, place};
  wait(limit, place);
}

}  // namespace trueasync
