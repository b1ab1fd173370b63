#include "io/fs_change_queue.hpp"

#include <algorithm>

#include "reactor/deadline_after.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

FsChangeQueue::FsChangeQueue(Reactor& reactor, FsDebounce hold, std::string path)
    : Event(&reactor.liveness()), reactor_(&reactor), hold_(hold), path_(std::move(path)) {
  reactor.observers().push_back(*this);
}

FsChangeQueue::~FsChangeQueue() {
  if (reactor_) reactor_->timers().cancel(due_);
  if (ReactorObserver::is_linked()) ReactorObserver::unlink();
}

void FsChangeQueue::on_reactor_closed() noexcept {
  reactor_->timers().cancel(due_);
  detach_liveness();
  reactor_ = nullptr;
}

std::exception_ptr FsChangeQueue::on_start() noexcept {
  if (reactor_) return nullptr;
  return std::make_exception_ptr(MisuseError("the runtime is gone: " + describe()));
}

bool FsChangeQueue::merge(const FsEvent& event, bool& was_ready) noexcept {
  auto known = by_name_.find(event.filename);
  if (known == by_name_.end()) return false;
  known->second.event->renamed |= event.renamed;
  known->second.event->changed |= event.changed;
  was_ready = known->second.number < taken_ + ready_;
  return true;
}

void FsChangeQueue::push(FsEvent event) {
  if (ended_ || !reactor_) return;
  bool was_ready = false;
  if (hold_.coalesce && merge(event, was_ready)) {
    if (!was_ready) defer();
    return;
  }
  items_.push_back(std::move(event));
  if (hold_.coalesce)
    by_name_.insert_or_assign(items_.back().filename, Slot{&items_.back(), taken_ + items_.size() - 1});
  defer();
}

TimePoint FsChangeQueue::release_time() const noexcept {
  const TimePoint quiet = deadline_after(last_held_, hold_.debounce);
  return hold_.max_hold.count() > 0 ? std::min(quiet, deadline_after(first_held_, hold_.max_hold)) : quiet;
}

// A change has come: held until it is quiet. The deadline in the heap is left alone; when it fires it looks again.
void FsChangeQueue::defer() noexcept {
  if (hold_.debounce.count() <= 0) return release_deferred();
  last_held_ = reactor_->now();
  if (due_.is_armed()) return;
  first_held_ = last_held_;
  try {
    reactor_->timers().arm(due_, release_time(), TimerQueue::Liveness::background);
  } catch (...) {
    release_deferred();  // no memory for a deadline: early is better than never
  }
}

void FsChangeQueue::on_due(Timer& deadline) noexcept {
  FsChangeQueue& queue = static_cast<Due&>(deadline).queue;
  const TimePoint when = queue.release_time();
  // The heap has room: this deadline has just left it.
  if (queue.reactor_->now() < when) {
    queue.reactor_->timers().arm(queue.due_, when, TimerQueue::Liveness::background);
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
  if (hold_.coalesce) by_name_.erase(event->filename);
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
  if (reactor_) reactor_->timers().cancel(due_);
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
