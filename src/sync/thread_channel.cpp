#include "trueasync/threads/channel.hpp"

#include <utility>
#include <vector>

#include "base/check.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

namespace {

// Channels created while this thread had a runtime, which closes them when it ends.
thread_local std::vector<std::weak_ptr<ThreadChannelBase>> created_here;

}  // namespace

ThreadChannelBase::ThreadChannelBase(std::size_t capacity) : capacity_(capacity) {
  if (capacity == 0) throw MisuseError("ThreadChannel: capacity must be at least 1");
}

ThreadChannelBase::~ThreadChannelBase() {
  TRUEASYNC_CHECK(senders_.empty() && receivers_.empty(), "thread channel destroyed with waiters");
}

CloseReason ThreadChannelBase::close_reason() const noexcept {
  std::lock_guard lock(mutex_);
  return close_reason_;
}

void ThreadChannelBase::check_open() const {
  if (close_reason_ != CloseReason::none) throw ChannelError(close_reason_);
}

// The mutex keeps the waiter alive: it is on its coroutine's stack, and park() locks the mutex before it returns.
void ThreadChannelBase::fulfill(ThreadWaiter& waiter) noexcept {
  waiter.is_fulfilled = true;
  static_cast<TriggerEvent&>(*waiter.trigger).fire();
}

void ThreadChannelBase::close(CloseReason reason) noexcept {
  std::lock_guard lock(mutex_);
  if (close_reason_ != CloseReason::none || reason == CloseReason::none) return;
  close_reason_ = reason;
  for (ThreadWaiterList* side : {&senders_, &receivers_}) {
    while (ThreadWaiter* waiter = side->pop_front()) static_cast<TriggerEvent&>(*waiter->trigger).fire();
  }
}

void ThreadChannelBase::park(std::unique_lock<std::mutex>& lock, ThreadWaiterList& side, ThreadWaiter& waiter,
                             WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("ThreadChannel");
  const Ref<TriggerEvent> trigger = scheduler.reactor().new_trigger();
  EventWait wait(scheduler, *trigger, options);
  waiter.trigger = trigger.get();
  side.push_back(waiter);
  lock.unlock();
  struct RelockGuard {
    std::unique_lock<std::mutex>& lock;
    ThreadWaiter& waiter;
    ~RelockGuard() {
      lock.lock();
      if (waiter.is_linked()) waiter.unlink();
    }
  } guard{lock, waiter};
  throw_wait_error(scheduler, scheduler.wait(wait.request, location), &wait.request);
}

void close_on_runtime_exit(std::weak_ptr<ThreadChannelBase> channel) {
  if (!Scheduler::current()) return;
  if (created_here.size() == created_here.capacity()) {
    std::erase_if(created_here, [](const auto& other) { return other.expired(); });
  }
  created_here.push_back(std::move(channel));
}

void close_thread_channels() noexcept {
  // std::exchange: destroying the values of a channel may create channels.
  for (auto& weak : std::exchange(created_here, {})) {
    if (auto channel = weak.lock()) channel->close(CloseReason::disposed);
  }
}

}  // namespace trueasync::detail
