#include "reactor/timer_queue.hpp"

#include <algorithm>

namespace trueasync::detail {

void TimerQueue::arm(Timer& deadline, TimePoint when, Liveness visibility) {
  TRUEASYNC_CHECK(!deadline.is_armed(), "a deadline can be armed once at a time");
  TRUEASYNC_CHECK(size_ < Timer::kIdle, "there are too many deadlines");
  if ((size_ + kBefore) / kChildren >= groups_.size()) groups_.emplace_back();
  deadline.hidden_ = visibility == Liveness::background;
  hidden_ += deadline.hidden_;
  deadline.order_ = armed_++ & kOrders;
  Node node{when, &deadline};
  if (__builtin_expect(when <= expiring_, 0)) {
    node.when = expiring_ + Clock::duration(1);
    deadline.deferred_ = 1;
    any_deferred_ = true;
  }
  sift_up(size_++, node);
}

void TimerQueue::cancel(Timer& deadline) noexcept {
  if (deadline.is_armed()) remove(deadline.slot_);
}

std::size_t TimerQueue::expire(TimePoint now) noexcept {
  std::size_t fired = 0;
  expiring_ = now;
  while (size_ != 0 && at(0).when <= now) {
    Timer& due = *at(0).deadline;
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
    if (!node.deadline->deferred_) continue;
    node.deadline->deferred_ = 0;
    node.when = now;
  }
  for (std::size_t slot = 1; slot < size_; ++slot) sift_up(slot, Node(at(slot)));
}

void TimerQueue::remove(std::size_t slot) noexcept {
  Timer& gone = *at(slot).deadline;
  hidden_ -= gone.hidden_;
  gone.slot_ = Timer::kIdle;
  gone.deferred_ = 0;
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
