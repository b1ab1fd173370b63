// WaitQueue: coroutines that wait in FIFO order and are woken one by one. The entries are on the waiters' stacks, so
// neither waiting nor waking allocates.
//
// Invariant: a popped and woken waiter owns its grant. If it is interrupted before it runs, reclaim() of the queue
// passes the grant to the next waiter; if reclaim() returns false, the waiter returns with the grant. A waiter
// interrupted by cancellation, timeout or token is unlinked in place: the order of the other waiters does not change.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "trueasync/detail/current_coroutine.hpp"
#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::detail {

using WaiterList = IntrusiveList<WaitEntry>;

// Suspends the current coroutine at the end of `queue` until it is woken. `event` is the event that the queue belongs
// to; `owner` is data of the waiter for it. Throws Cancelled, TimeoutError, OperationCancelled; the waiter is then not
// in the queue.
TRUEASYNC_EXPORT void wait_in_queue(WaiterList& queue, Event& event, void* owner, WaitOptions options,
                                    SourceLocation location);
// Wakes a waiter that was popped from its queue.
TRUEASYNC_EXPORT void wake_waiter(WaitEntry& waiter) noexcept;

// WaitQueue: a member of the object it belongs to: never disposed, and empty when that object is destroyed.
class TRUEASYNC_EXPORT WaitQueue : public Event {
 public:
  explicit WaitQueue(const char* description) noexcept : description_(description) {}
  ~WaitQueue() override;

  bool empty() const noexcept { return waiters_.empty(); }
  void wait(WaitOptions options, SourceLocation location, void* owner = nullptr);
  // Wakes the oldest waiter; false if there is none.
  bool wake_one() noexcept;
  // Wakes the current waiters in FIFO order.
  void wake_all() noexcept;

  std::string describe() const override { return description_; }

 protected:
  WaiterList& waiters() noexcept { return waiters_; }

 private:
  const char* description_;  // for deadlock reports
  WaiterList waiters_;
};

// PermitQueue: permits and their waiters. Invariant: while a waiter exists there is no free permit; a released permit
// goes directly to the oldest waiter, so a newcomer cannot overtake.
class TRUEASYNC_EXPORT PermitQueue : public WaitQueue {
 public:
  PermitQueue(const char* description, std::size_t permits) noexcept : WaitQueue(description), free_(permits) {}

  bool try_acquire() noexcept {
    if (free_ == 0) return false;
    --free_;
    return true;
  }
  void release_permit() noexcept {
    if (empty() || !wake_one()) ++free_;
  }
  std::size_t available() const noexcept { return free_; }

  bool reclaim(Subscription&) noexcept override {
    release_permit();
    return true;
  }

 private:
  std::size_t free_;
};

// LockQueue: the permit of a mutex and the coroutine that took it last, which may have finished without releasing it.
class TRUEASYNC_EXPORT LockQueue final : public PermitQueue {
 public:
  explicit LockQueue(const char* description) noexcept : PermitQueue(description, 1) {}

  bool try_lock() noexcept {
    if (!try_acquire()) return false;
    owner_ = this_thread_coroutine.stamp();
    return true;
  }
  void lock(WaitOptions options, SourceLocation location);
  const Event* blocking_coroutine() const noexcept override;

 private:
  CoroutineStamp owner_;
};

[[noreturn]] TRUEASYNC_EXPORT void fail_unlock() noexcept;

}  // namespace trueasync::detail
