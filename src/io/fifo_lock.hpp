// FifoLock: serializes the operations of one direction of a handle in FIFO order, so that concurrent writes do not
// interleave. A grant to a waiter that stops waiting moves to the next waiter.
//
// Ownership: none; waiters are list nodes on their own stacks.
// Thread safety: the runtime's thread.
#pragma once

#include <utility>

#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/event.hpp"

namespace trueasync::detail {

class FifoLock;

// One request for the lock; fires when the lock is granted. Releases the lock or leaves the queue when destroyed.
class FifoLockRequest final : public Event, public ListHook {
 public:
  explicit FifoLockRequest(FifoLock& lock) noexcept : lock_(lock) {}
  ~FifoLockRequest() override { release(); }

  // Returns true if the lock was free and is now held. Otherwise wait for this event.
  bool lock_or_enqueue() noexcept;
  // Unlocks, or removes the request from the queue.
  void release() noexcept;
  bool is_owner() const noexcept { return owns_; }

  bool replay(Notification& result) const noexcept override {
    result = {};
    return owns_;
  }
  // Nothing to reclaim here: a waiter that stops waiting calls release(), which grants the lock to the next waiter.
  bool reclaim(Subscription&) noexcept override { return true; }
  std::string describe() const override { return "a handle that another coroutine uses"; }

 private:
  friend class FifoLock;
  FifoLock& lock_;
  bool owns_ = false;
};

class FifoLock {
 public:
  bool is_locked() const noexcept { return locked_; }
  // Fast path without a request: locks and returns true if the lock is free. Release with unlock().
  bool try_lock() noexcept { return !std::exchange(locked_, true); }
  void unlock() noexcept {
    if (waiters_.empty()) {
      locked_ = false;
    } else {
      grant_next();
    }
  }

 private:
  friend class FifoLockRequest;
  // Grants the lock to waiters until one of them keeps it. A waiter may release the lock within its notification: this
  // runs another iteration of the loop instead of a recursive call.
  void grant_next() noexcept;

  bool locked_ = false;
  bool granting_ = false;
  bool released_during_grant_ = false;
  IntrusiveList<FifoLockRequest> waiters_;
};

inline bool FifoLockRequest::lock_or_enqueue() noexcept {
  if (!lock_.locked_) {
    lock_.locked_ = owns_ = true;
  } else {
    lock_.waiters_.push_back(*this);
  }
  return owns_;
}

inline void FifoLockRequest::release() noexcept {
  if (!owns_) {
    if (ListHook::is_linked()) ListHook::unlink();
    return;
  }
  owns_ = false;
  lock_.unlock();
}

inline void FifoLock::grant_next() noexcept {
  released_during_grant_ = true;
  if (granting_) return;
  granting_ = true;
  while (released_during_grant_) {
    released_during_grant_ = false;
    if (FifoLockRequest* next = waiters_.pop_front()) {
      next->owns_ = true;
      next->notify({});
    } else {
      locked_ = false;
    }
  }
  granting_ = false;
}

}  // namespace trueasync::detail
