// What a channel between threads is apart from the type of its values. Everything under one mutex; those who wait are
// coroutines, each with a trigger of its runtime, fired by the other side.
//
// Whoever is woken has been served already, or the channel is closed: nobody overtakes (R1, CH-20).
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "trueasync/detail/channel_base.hpp"
#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::detail {

// A coroutine that waits; on its stack, in the list under the mutex.
struct ThreadWaiter : ListHook {
  Event* trigger = nullptr;
  bool is_fulfilled = false;
};
using ThreadWaiterList = IntrusiveList<ThreadWaiter>;

class TRUEASYNC_EXPORT ThreadChannelBase : public std::enable_shared_from_this<ThreadChannelBase> {
 public:
  ThreadChannelBase(const ThreadChannelBase&) = delete;
  ThreadChannelBase& operator=(const ThreadChannelBase&) = delete;

  std::size_t capacity() const noexcept { return capacity_; }
  CloseReason close_reason() const noexcept;
  void close(CloseReason reason) noexcept;

 protected:
  explicit ThreadChannelBase(std::size_t capacity);
  ~ThreadChannelBase();

  // Lets the lock go, suspends at the end of that side until served or closed, takes the lock again. Throws what ended the
  // wait; the waiter may have been served all the same.
  void park(std::unique_lock<std::mutex>& lock, ThreadWaiterList& side, ThreadWaiter& waiter, const WaitOptions& limits,
            SourceLocation location);
  // Under the lock, with one that was taken out of its list.
  static void serve(ThreadWaiter& waiter) noexcept;
  void check_open() const;

  mutable std::mutex mutex_;
  ThreadWaiterList senders_;
  ThreadWaiterList receivers_;
  std::size_t capacity_;
  CloseReason close_reason_ = CloseReason::none;
};

// It will be closed when the runtime of this thread ends, if it has one (CH-22).
TRUEASYNC_EXPORT void close_on_runtime_exit(std::weak_ptr<ThreadChannelBase> channel);

}  // namespace trueasync::detail
