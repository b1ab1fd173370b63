// Turns: operations of one direction on one handle come one after the other, in the order they were asked for. What one
// writes is never torn by another.
//
// Owns: nothing; those who wait stand in the list with a node on their own stack. A turn given to somebody who leaves
// instead goes to the next (R1). Threads: the runtime's.
#pragma once

#include <utility>

#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/event.hpp"

namespace trueasync::detail {

class FifoLock;

// A place in the queue; fires when the turn has come. Lives where its owner is, until it is left.
class FifoLockRequest final : public Event, public ListHook {
 public:
  explicit FifoLockRequest(FifoLock& queue) noexcept : queue_(queue) {}
  ~FifoLockRequest() override { release(); }

  // True: it is our turn already. Otherwise wait for this event.
  bool lock_or_enqueue() noexcept;
  // Hands the turn on, or leaves the line.
  void release() noexcept;
  bool is_owner() const noexcept { return mine_; }

  bool replay(Notification& result) const noexcept override {
    result = {};
    return mine_;
  }
  // Not handed on here: whoever leaves the wait early leaves the queue as well, and that does it.
  bool reclaim(Subscription&) noexcept override { return true; }
  std::string describe() const override { return "its turn on a handle that another coroutine uses"; }

 private:
  friend class FifoLock;
  FifoLock& queue_;
  bool mine_ = false;
};

class FifoLock {
 public:
  bool is_locked() const noexcept { return taken_; }
  // The short way, without a place in the line: true if it is free, and ours from now on until give_back().
  bool try_lock() noexcept { return !std::exchange(taken_, true); }
  void unlock() noexcept {
    if (waiting_.empty()) {
      taken_ = false;
    } else {
      grant_next();
    }
  }

 private:
  friend class FifoLockRequest;
  // Hands the turn to the next ones until somebody keeps it. One that is through at once leaves within its own
  // notification: that is a further round here, not a deeper call.
  void grant_next() noexcept;

  bool taken_ = false;
  bool handing_on_ = false;
  bool released_during_grant_ = false;
  IntrusiveList<FifoLockRequest> waiting_;
};

inline bool FifoLockRequest::lock_or_enqueue() noexcept {
  if (!queue_.taken_) {
    queue_.taken_ = mine_ = true;
  } else {
    queue_.waiting_.push_back(*this);
  }
  return mine_;
}

inline void FifoLockRequest::release() noexcept {
  if (!mine_) {
    if (ListHook::is_linked()) ListHook::unlink();
    return;
  }
  mine_ = false;
  queue_.unlock();
}

inline void FifoLock::grant_next() noexcept {
  released_during_grant_ = true;
  if (handing_on_) return;
  handing_on_ = true;
  while (released_during_grant_) {
    released_during_grant_ = false;
    if (FifoLockRequest* following = waiting_.pop_front()) {
      following->mine_ = true;
      following->notify({});
    } else {
      taken_ = false;
    }
  }
  handing_on_ = false;
}

}  // namespace trueasync::detail
