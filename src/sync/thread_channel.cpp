#include "trueasync/thread_channel.hpp"

#include <utility>
#include <vector>

#include "base/check.hpp"
#include "scheduler/api_support.hpp"
#include "sync/thread_channels.hpp"

namespace trueasync::detail {

namespace {

thread_local std::vector<std::weak_ptr<ThreadChannelBase>> made_here;

}  // namespace

ThreadChannelBase::ThreadChannelBase(std::size_t capacity) : capacity_(capacity) {
  if (capacity == 0) throw MisuseError("a channel between threads needs a capacity of at least 1");
}

ThreadChannelBase::~ThreadChannelBase() {
  TRUEASYNC_CHECK(senders_.empty() && receivers_.empty(),
                  "a channel between threads died while somebody waited for it");
}

CloseReason ThreadChannelBase::close_reason() const noexcept {
  std::lock_guard lock(mutex_);
  return close_reason_;
}

void ThreadChannelBase::check_open() const {
  if (close_reason_ != CloseReason::none) throw ChannelError(close_reason_);
}

// Under the lock, so that the waiter is still there: it goes on only when it has the lock.
void ThreadChannelBase::serve(ThreadWaiter& waiter) noexcept {
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
  Scheduler& scheduler = require_scheduler("waiting for a channel");
  const Ref<TriggerEvent> trigger = scheduler.reactor().new_trigger();
  EventWait wait(scheduler, *trigger, options);
  waiter.trigger = trigger.get();
  side.push_back(waiter);
  lock.unlock();
  struct Leave {
    std::unique_lock<std::mutex>& lock;
    ThreadWaiter& waiter;
    ~Leave() {
      lock.lock();
      if (waiter.is_linked()) waiter.unlink();
    }
  } leave{lock, waiter};
  throw_wait_error(scheduler, scheduler.wait(wait.request, location), &wait.request);
}

void close_on_runtime_exit(std::weak_ptr<ThreadChannelBase> channel) {
  if (!Scheduler::current()) return;
  if (made_here.size() == made_here.capacity()) {
    std::erase_if(made_here, [](const auto& other) { return other.expired(); });
  }
  made_here.push_back(std::move(channel));
}

void close_thread_channels() noexcept {
  // Values that go with a channel may make others.
  for (auto& weak : std::exchange(made_here, {})) {
    if (auto channel = weak.lock()) channel->close(CloseReason::disposed);
  }
}

}  // namespace trueasync::detail
