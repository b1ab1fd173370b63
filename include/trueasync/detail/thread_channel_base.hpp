// ThreadChannelBase: the untyped part of a channel between threads. One mutex protects all state. Each waiter is a
// coroutine with a trigger of its runtime, which the other side fires.
//
// A woken waiter is already fulfilled, or the channel is closed: no newcomer overtakes.
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

// ThreadWaiter: a waiting coroutine; on its stack, linked in the list under the mutex.
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

  // Unlocks, suspends at the end of a side until fulfilled or closed, and locks again. Throws what ended the wait; the
  // waiter may be fulfilled nevertheless.
  void park(std::unique_lock<std::mutex>& lock, ThreadWaiterList& side, ThreadWaiter& waiter, WaitOptions options,
            SourceLocation location);
  // Fulfills a waiter that was removed from its list. Call with the mutex locked.
  static void serve(ThreadWaiter& waiter) noexcept;
  void check_open() const;

  mutable std::mutex mutex_;
  ThreadWaiterList senders_;
  ThreadWaiterList receivers_;
  std::size_t capacity_;
  CloseReason close_reason_ = CloseReason::none;
};

// Closes the channel when the runtime of this thread ends, if there is one.
TRUEASYNC_EXPORT void close_on_runtime_exit(std::weak_ptr<ThreadChannelBase> channel);

}  // namespace trueasync::detail
