#include "reactor/deadline_queue.hpp"

#include <algorithm>

namespace trueasync::detail {

void DeadlineQueue::arm(Deadline& deadline, TimePoint when, Visibility visibility) {
  TRUEASYNC_CHECK(!deadline.is_armed(), "a deadline can be armed once at a time");
  TRUEASYNC_CHECK(size_ < Deadline::kIdle, "there are too many deadlines");
  if ((size_ + kBefore) / kChildren >= groups_.size()) groups_.emplace_back();
  deadline.hidden_ = visibility == Visibility::hidden;
  hidden_ += deadline.hidden_;
  deadline.order_ = armed_++ & kOrders;
  Node node{when, &deadline};
  if (__builtin_expect(when <= expiring_, 0)) {
    node.when = expiring_ + Clock::duration(1);
    deadline.held_ = 1;
    any_held_ = true;
  }
  sift_up(size_++, node);
}

void DeadlineQueue::cancel(Deadline& deadline) noexcept {
  if (deadline.is_armed()) remove(deadline.slot_);
}

std::size_t DeadlineQueue::expire(TimePoint now) noexcept {
  std::size_t fired = 0;
  expiring_ = now;
  while (size_ != 0 && at(0).when <= now) {
    Deadline& due = *at(0).deadline;
    remove(0);
    ++fired;
    due.fire_(due);
  }
  expiring_ = TimePoint::min();
  if (__builtin_expect(any_held_, 0)) release_held(now);
  return fired;
}

void DeadlineQueue::release_held(TimePoint now) noexcept {
  any_held_ = false;
  for (std::size_t slot = 0; slot < size_; ++slot) {
    Node& node = at(slot);
    if (!node.deadline->held_) continue;
    node.deadline->held_ = 0;
    node.when = now;
  }
  for (std::size_t slot = 1; slot < size_; ++slot) sift_up(slot, Node(at(slot)));
}

void DeadlineQueue::remove(std::size_t slot) noexcept {
  Deadline& gone = *at(slot).deadline;
  hidden_ -= gone.hidden_;
  gone.slot_ = Deadline::kIdle;
  gone.held_ = 0;
  const Node last = at(--size_);
  if (slot == size_) return;
  if (slot > 0 && last.before(at((slot - 1) / kChildren))) {
    sift_up(slot, last);
  } else {
    sift_down(slot, last);
  }
}

void DeadlineQueue::sift_up(std::size_t slot, const Node& node) noexcept {
  while (slot > 0) {
    const std::size_t parent = (slot - 1) / kChildren;
    if (!node.before(at(parent))) break;
    place(slot, at(parent));
    slot = parent;
  }
  place(slot, node);
}

void DeadlineQueue::sift_down(std::size_t slot, const Node& node) noexcept {
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
