#include "reactor/timer_queue.hpp"

#include <algorithm>

namespace trueasync::detail {

void TimerQueue::arm(Timer& timer, TimePoint deadline, Liveness liveness) {
  TRUEASYNC_CHECK(!timer.is_armed(), "timer armed twice");
  TRUEASYNC_CHECK(size_ < Timer::kIdle, "too many timers");
  if ((size_ + kRootOffset) / kChildren >= groups_.size()) groups_.emplace_back();
  timer.background_ = liveness == Liveness::background;
  background_ += timer.background_;
  timer.order_ = armed_++ & kOrderMask;
  Node node{deadline, &timer};
  if (__builtin_expect(deadline <= expiring_, 0)) {
    node.deadline = expiring_ + Clock::duration(1);
    timer.deferred_ = 1;
    any_deferred_ = true;
  }
  sift_up(size_++, node);
}

void TimerQueue::cancel(Timer& timer) noexcept {
  if (timer.is_armed()) remove(timer.slot_);
}

std::size_t TimerQueue::expire(TimePoint now) noexcept {
  std::size_t fired = 0;
  expiring_ = now;
  while (size_ != 0 && at(0).deadline <= now) {
    Timer& due = *at(0).timer;
    remove(0);
    ++fired;
    due.fire_(due);
  }
  expiring_ = TimePoint::min();
  if (__builtin_expect(any_deferred_, 0)) release_deferred(now);
  return fired;
}

void TimerQueue::release_deferred(TimePoint now) noexcept {
  any_deferred_ = false;
  for (std::size_t slot = 0; slot < size_; ++slot) {
    Node& node = at(slot);
    if (!node.timer->deferred_) continue;
    node.timer->deferred_ = 0;
    node.deadline = now;
  }
  for (std::size_t slot = 1; slot < size_; ++slot) sift_up(slot, Node(at(slot)));
}

void TimerQueue::remove(std::size_t slot) noexcept {
  Timer& removed = *at(slot).timer;
  background_ -= removed.background_;
  removed.slot_ = Timer::kIdle;
  removed.deferred_ = 0;
  const Node last = at(--size_);
  if (slot == size_) return;
  if (slot > 0 && last.before(at((slot - 1) / kChildren))) {
    sift_up(slot, last);
  } else {
    sift_down(slot, last);
  }
}

void TimerQueue::sift_up(std::size_t slot, const Node& node) noexcept {
  while (slot > 0) {
    const std::size_t parent = (slot - 1) / kChildren;
    if (!node.before(at(parent))) break;
    place(slot, at(parent));
    slot = parent;
  }
  place(slot, node);
}

void TimerQueue::sift_down(std::size_t slot, const Node& node) noexcept {
  for (;;) {
    const std::size_t first = slot * kChildren + 1;
    if (first >= size_) break;
    const std::size_t end = std::min(first + kChildren, size_);
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (at(child).before(at(least))) least = child;
    }
    if (!at(least).before(node)) break;
    place(slot, at(least));
    slot = least;
  }
  place(slot, node);
}

}  // namespace trueasync::detail
