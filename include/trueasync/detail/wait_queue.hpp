// A queue of coroutines that its owner serves one by one, first come first served. The entries live on the waiters'
// stacks, so waiting allocates nothing, and waking neither.
//
// The promise (R1): whoever is popped and woken owns what it was woken for. If it is cancelled before it runs, the queue's
// reclaim() is asked to hand that on; if that says no, the waiter returns with it. A waiter that leaves by itself – a
// cancellation, a time limit, a token – is unlinked in place: the others keep their order (CH-10).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "trueasync/detail/current_coroutine.hpp"
#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::detail {

// What ends a wait besides being served.
struct WaitOptions {
  Event* token = nullptr;
  std::optional<std::chrono::nanoseconds> timeout = std::nullopt;
};

// A time limit for several waits together: counts from its making.
class TRUEASYNC_EXPORT RemainingTime {
 public:
  using Limit = std::optional<std::chrono::nanoseconds>;

  // Throws MisuseError outside a runtime, if there is a limit.
  explicit RemainingTime(Limit timeout);
  // What is left of it; nothing if there is no limit.
  Limit remaining() const;

 private:
  std::optional<TimePoint> end_;
};

using WaiterList = IntrusiveList<WaitEntry>;

// Suspends the current coroutine at the end of `queue` until it is served. Throws Cancelled, TimeoutError,
// OperationCancelled; it is not in the queue then.
// `owner` is the waiter's own, for `event`, which the queue belongs to.
TRUEASYNC_EXPORT void wait_in_queue(WaiterList& queue, Event& event, void* owner, const WaitOptions& limits,
                                    SourceLocation location);
// Wakes one that was popped from its queue.
TRUEASYNC_EXPORT void wake_waiter(WaitEntry& waiter) noexcept;

// A queue that is a member of what it belongs to: never disposed, and empty when that goes.
class TRUEASYNC_EXPORT WaitQueue : public Event {
 public:
  explicit WaitQueue(const char* what) noexcept : what_(what) {}
  ~WaitQueue() override;

  bool empty() const noexcept { return waiters_.empty(); }
  void wait(const WaitOptions& limits, SourceLocation location, void* owner = nullptr);
  // Serves the oldest; false when there is none.
  bool wake_one() noexcept;
  // Serves those who wait now, in order.
  void wake_all() noexcept;

  std::string describe() const override { return what_; }

 protected:
  WaiterList& waiters() noexcept { return waiters_; }

 private:
  const char* what_;
  WaiterList waiters_;
};

// Permits, and those who wait for one. While somebody waits there is no free permit: one that is given back goes
// straight to the oldest, so a newcomer can't overtake.
class TRUEASYNC_EXPORT PermitQueue : public WaitQueue {
 public:
  PermitQueue(const char* what, std::size_t permits) noexcept : WaitQueue(what), free_(permits) {}

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

// The one permit of a mutex, and who took it last; that one may have ended without giving it back.
class TRUEASYNC_EXPORT LockQueue final : public PermitQueue {
 public:
  explicit LockQueue(const char* what) noexcept : PermitQueue(what, 1) {}

  bool try_lock() noexcept {
    if (!try_acquire()) return false;
    owner_ = this_thread_coroutine.stamp();
    return true;
  }
  void lock(const WaitOptions& limits, SourceLocation location);
  const Event* blocking_coroutine() const noexcept override;

 private:
  CoroutineStamp owner_;
};

[[noreturn]] TRUEASYNC_EXPORT void fail_unlock() noexcept;

}  // namespace trueasync::detail
