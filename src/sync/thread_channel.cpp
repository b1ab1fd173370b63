#include "trueasync/thread_channel.hpp"

#include <algorithm>
#include <vector>

#include "base/check.hpp"
#include "reactor/deadline_after.hpp"
#include "scheduler/face.hpp"
#include "sync/thread_channels.hpp"

namespace trueasync::detail {

struct ThreadWaiter : ListHook {
  Ref<TriggerEvent> trigger;
};

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

CloseReason ThreadChannelBase::closed_by() const noexcept {
  std::lock_guard lock(mutex_);
  return closed_by_;
}

void ThreadChannelBase::check_open() const {
  if (closed_by_ != CloseReason::none) throw ChannelError(closed_by_);
}

// Under the lock, so that the waiter is still there: it leaves the list under the lock too.
void ThreadChannelBase::wake_one(ThreadWaiterList& side) noexcept {
  if (ThreadWaiter* waiter = side.pop_front()) waiter->trigger->fire();
}

void ThreadChannelBase::close(CloseReason reason) noexcept {
  std::lock_guard lock(mutex_);
  if (closed_by_ != CloseReason::none || reason == CloseReason::none) return;
  closed_by_ = reason;
  while (!senders_.empty()) wake_one(senders_);
  while (!receivers_.empty()) wake_one(receivers_);
}

void ThreadChannelBase::park(std::unique_lock<std::mutex>& lock, ThreadWaiterList& side, Patience& patience,
                             Place place) {
  Scheduler& scheduler = this_scheduler("waiting for a channel");
  const WaitLimits& limits = patience.limits_;
  if (limits.limit && !patience.deadline_) {
    patience.deadline_ = deadline_after(scheduler.reactor().now(), *limits.limit);
  }
  ThreadWaiter waiter;
  waiter.trigger = scheduler.reactor().new_trigger();
  WaitEntry entries[2] = {WaitEntry(*waiter.trigger), WaitEntry()};
  if (limits.token) {
    entries[1].event = limits.token;
    entries[1].is_token = true;
  }
  WaitRequest request;
  request.entries = std::span(entries, limits.token ? 2 : 1);
  request.deadline = patience.deadline_;
  side.push_back(waiter);
  lock.unlock();
  try {
    raise_unless_well(scheduler, scheduler.wait(request, place), &request);
  } catch (...) {
    lock.lock();
    if (waiter.is_linked()) {
      waiter.unlink();
    } else {
      wake_one(side);  // it was woken and does not look: the next one may
    }
    throw;
  }
  lock.lock();
  if (waiter.is_linked()) waiter.unlink();
}

void close_with_runtime(std::weak_ptr<ThreadChannelBase> channel) {
  if (!Scheduler::current()) return;
  if (made_here.size() == made_here.capacity()) {
    std::erase_if(made_here, [](const auto& other) { return other.expired(); });
  }
  made_here.push_back(std::move(channel));
}

void close_thread_channels() noexcept {
  for (auto& weak : made_here) {
    if (auto channel = weak.lock()) channel->close(CloseReason::disposed);
  }
  made_here.clear();
}

}  // namespace trueasync::detail
