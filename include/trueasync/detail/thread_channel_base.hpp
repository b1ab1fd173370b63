// What a channel between threads is apart from the type of its values. Everything under one mutex; those who wait are
// coroutines, each with a trigger of its runtime, fired by the other side.
//
// A wake is a hint, not a delivery: whoever runs first takes what is there, the others wait again (CH-20). One who was
// woken and leaves without looking wakes the next (R1).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>

#include "trueasync/detail/channel_base.hpp"
#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/export.hpp"
#include "trueasync/place.hpp"

namespace trueasync::detail {

// A coroutine that waits; on its stack, in the list under the mutex.
struct ThreadWaiter;
using ThreadWaiterList = IntrusiveList<ThreadWaiter>;

class TRUEASYNC_EXPORT ThreadChannelBase : public std::enable_shared_from_this<ThreadChannelBase> {
 public:
  ThreadChannelBase(const ThreadChannelBase&) = delete;
  ThreadChannelBase& operator=(const ThreadChannelBase&) = delete;

  std::size_t capacity() const noexcept { return capacity_; }
  CloseReason closed_by() const noexcept;
  void close(CloseReason reason) noexcept;

 protected:
  explicit ThreadChannelBase(std::size_t capacity);
  ~ThreadChannelBase();

  // The time limit of a call counts from its beginning, however often it waits.
  class TRUEASYNC_EXPORT Patience {
   public:
    explicit Patience(const WaitLimits& limits) noexcept : limits_(limits) {}

   private:
    friend class ThreadChannelBase;
    WaitLimits limits_;
    std::optional<TimePoint> deadline_;
  };

  // Lets the lock go, suspends until woken, takes it again. Throws what ended the wait.
  void park(std::unique_lock<std::mutex>& lock, ThreadWaiterList& side, Patience& patience, Place place);
  // Under the lock.
  static void wake_one(ThreadWaiterList& side) noexcept;
  void check_open() const;

  mutable std::mutex mutex_;
  ThreadWaiterList senders_;
  ThreadWaiterList receivers_;
  std::size_t capacity_;
  CloseReason closed_by_ = CloseReason::none;
};

// It will be closed when the runtime of this thread ends, if it has one (CH-22).
TRUEASYNC_EXPORT void close_with_runtime(std::weak_ptr<ThreadChannelBase> channel);

}  // namespace trueasync::detail
