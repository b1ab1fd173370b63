// HandoffLock: a lock that release() hands to the oldest waiter. Each waiter waits for its own event, whose reclaim()
// hands the lock to the next waiter.
#pragma once

#include <algorithm>
#include <deque>

#include "support/manual_event.hpp"

namespace trueasync::test {

class HandoffLock {
 public:
  void acquire() {
    if (is_free_) {
      is_free_ = false;
      return;
    }
    QueueGuard guard{*this, Ref<Waiter>::adopt(new Waiter(*this))};
    queue_.push_back(guard.waiter.get());
    wait_for(*guard.waiter);
  }
  void release() noexcept {
    if (queue_.empty()) {
      is_free_ = true;
      return;
    }
    Waiter* next = queue_.front();
    queue_.pop_front();
    next->grant();
  }
  bool is_free() const noexcept { return is_free_; }
  std::size_t waiters() const noexcept { return queue_.size(); }

 private:
  class Waiter final : public Event {
   public:
    explicit Waiter(HandoffLock& lock) noexcept : lock_(lock) {}
    void grant() noexcept { notify({}); }
    std::string describe() const override { return "the lock"; }
    bool reclaim(Subscription&) noexcept override {
      lock_.release();
      return true;
    }

   private:
    HandoffLock& lock_;
  };
  struct QueueGuard {
    HandoffLock& lock;
    Ref<Waiter> waiter;
    ~QueueGuard() { std::erase(lock.queue_, waiter.get()); }
  };

  bool is_free_ = true;
  std::deque<Waiter*> queue_;
};

}  // namespace trueasync::test
