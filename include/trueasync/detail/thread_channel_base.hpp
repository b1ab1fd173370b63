// ThreadChannelBase: the untyped part of a channel between threads. One mutex protects all state. Each waiter is a
// coroutine with a trigger of its runtime, which the other side fires.
//
// A waiter is woken after its value was sent or delivered (it is fulfilled), or when the channel is closed. A newcomer
// therefore cannot overtake it.
//
// Thread safety: any thread.
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

// ThreadWaiter: a waiting coroutine. It is on the coroutine's stack, linked in a list that the mutex protects.
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

  // Queues the waiter at the end of `side`, unlocks, suspends until it is fulfilled or the channel is closed, and locks
  // again. Throws Cancelled, TimeoutError or OperationCancelled; the caller must then check
  // `is_fulfilled`, because the waiter may have been fulfilled before it was interrupted.
  void park(std::unique_lock<std::mutex>& lock, ThreadWaiterList& side, ThreadWaiter& waiter, WaitOptions options,
            SourceLocation location);
  // Wakes a waiter that was removed from its list and whose value was moved. Call with the mutex locked.
  static void fulfill(ThreadWaiter& waiter) noexcept;
  // Throws ChannelError if the channel is closed. Call with the mutex locked.
  void check_open() const;

  mutable std::mutex mutex_;
  ThreadWaiterList senders_;
  ThreadWaiterList receivers_;
  std::size_t capacity_;
  CloseReason close_reason_ = CloseReason::none;
};

// Closes the channel when the runtime of this thread ends; no effect without a runtime.
TRUEASYNC_EXPORT void close_on_runtime_exit(std::weak_ptr<ThreadChannelBase> channel);
// Closes the channels passed to close_on_runtime_exit() on this thread. Called when the runtime ends.
void close_thread_channels() noexcept;

}  // namespace trueasync::detail
