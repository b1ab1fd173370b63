#include "io/fs_change_queue.hpp"

#include <algorithm>

#include "reactor/timer_queue.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

FsChangeQueue::FsChangeQueue(Reactor& reactor, FsDebounce debounce, std::string path)
    : Event(&reactor.liveness()), reactor_(&reactor), debounce_(debounce), path_(std::move(path)) {
  reactor.observers().push_back(*this);
}

FsChangeQueue::~FsChangeQueue() {
  if (reactor_) reactor_->timers().cancel(timer_);
  if (ReactorObserver::is_linked()) ReactorObserver::unlink();
}

void FsChangeQueue::on_reactor_closed() noexcept {
  reactor_->timers().cancel(timer_);
  detach_liveness();
  reactor_ = nullptr;
}

std::exception_ptr FsChangeQueue::on_start() noexcept {
  if (reactor_) return nullptr;
  return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
}

bool FsChangeQueue::merge(const FsEvent& event, bool& was_ready) noexcept {
  auto known = by_name_.find(event.filename);
  if (known == by_name_.end()) return false;
  known->second.event->renamed |= event.renamed;
  known->second.event->changed |= event.changed;
  was_ready = known->second.sequence < taken_ + ready_;
  return true;
}

void FsChangeQueue::push(FsEvent event) {
  if (ended_ || !reactor_) return;
  bool was_ready = false;
  if (debounce_.coalesce && merge(event, was_ready)) {
    if (!was_ready) defer();
    return;
  }
  items_.push_back(std::move(event));
  if (debounce_.coalesce)
    by_name_.insert_or_assign(items_.back().filename, Slot{&items_.back(), taken_ + items_.size() - 1});
  defer();
}

TimePoint FsChangeQueue::release_time() const noexcept {
  const TimePoint quiet = deadline_after(last_deferred_, debounce_.debounce);
  return debounce_.max_delay.count() > 0 ? std::min(quiet, deadline_after(first_deferred_, debounce_.max_delay))
                                         : quiet;
}

// Leaves an armed timer alone: on_timer() checks the release time again. So a change does not cost a timer operation.
void FsChangeQueue::defer() noexcept {
  if (debounce_.debounce.count() <= 0) return release_deferred();
  last_deferred_ = reactor_->now();
  if (timer_.is_armed()) return;
  first_deferred_ = last_deferred_;
  try {
    reactor_->timers().arm(timer_, release_time(), TimerQueue::Liveness::background);
  } catch (...) {
    release_deferred();  // no memory for the timer: release early
  }
}

void FsChangeQueue::on_timer(Timer& timer) noexcept {
  FsChangeQueue& queue = static_cast<ReleaseTimer&>(timer).queue;
  const TimePoint when = queue.release_time();
  // Cannot throw: the heap still has the space of the timer that just fired.
  if (queue.reactor_->now() < when) {
    queue.reactor_->timers().arm(queue.timer_, when, TimerQueue::Liveness::background);
  } else {
    queue.release_deferred();
  }
}

void FsChangeQueue::release_deferred() noexcept {
  ready_ = items_.size();
  notify({ready_, nullptr});
}

std::optional<FsEvent> FsChangeQueue::take() {
  if (ready_ == 0) return std::nullopt;
  std::optional<FsEvent> event(std::move(items_.front()));
  if (debounce_.coalesce) by_name_.erase(event->filename);
  items_.pop_front();
  --ready_;
  ++taken_;
  event->path = path_;
  return event;
}

void FsChangeQueue::end(std::exception_ptr error) noexcept {
  if (ended_) return;
  ended_ = true;
  error_ = std::move(error);
  if (reactor_) reactor_->timers().cancel(timer_);
  release_deferred();
}

void FsChangeQueue::drop_all() noexcept {
  by_name_.clear();
  items_.clear();
  ready_ = 0;
}

bool FsChangeQueue::replay(Notification& result) const noexcept {
  result = {ready_, nullptr};
  return ready_ != 0 || ended_;
}

}  // namespace trueasync::detail
