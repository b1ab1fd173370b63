#include "reactor/deadline_queue.hpp"

#include <algorithm>

namespace trueasync::detail {

void DeadlineQueue::arm(Deadline& deadline, TimePoint when, Visibility visibility) {
  TRUEASYNC_CHECK(!deadline.is_armed(), "a deadline can be armed once at a time");
  heap_.push_back({});
  deadline.hidden_ = visibility == Visibility::hidden;
  hidden_ += deadline.hidden_;
  Node node{when, armed_++, &deadline};
  if (__builtin_expect(when <= expiring_, 0)) {
    node.when = expiring_ + Clock::duration(1);
    node.order |= kHeld;
    any_held_ = true;
  }
  sift_up(heap_.size() - 1, node);
}

void DeadlineQueue::cancel(Deadline& deadline) noexcept {
  if (deadline.is_armed()) remove(deadline.slot_);
}

std::size_t DeadlineQueue::expire(TimePoint now) noexcept {
  std::size_t fired = 0;
  expiring_ = now;
  while (!heap_.empty() && heap_.front().when <= now) {
    Deadline& due = *heap_.front().deadline;
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
  for (Node& node : heap_) {
    if (!(node.order & kHeld)) continue;
    node.order &= ~kHeld;
    node.when = now;
  }
  for (std::size_t slot = 1; slot < heap_.size(); ++slot) sift_up(slot, Node(heap_[slot]));
}

void DeadlineQueue::remove(std::size_t slot) noexcept {
  Deadline& gone = *heap_[slot].deadline;
  hidden_ -= gone.hidden_;
  gone.slot_ = Deadline::kIdle;
  const Node last = heap_.back();
  heap_.pop_back();
  if (slot == heap_.size()) return;
  if (slot > 0 && last.before(heap_[(slot - 1) / 4])) {
    sift_up(slot, last);
  } else {
    sift_down(slot, last);
  }
}

void DeadlineQueue::sift_up(std::size_t slot, const Node& node) noexcept {
  while (slot > 0) {
    const std::size_t parent = (slot - 1) / 4;
    if (!node.before(heap_[parent])) break;
    place(slot, heap_[parent]);
    slot = parent;
  }
  place(slot, node);
}

void DeadlineQueue::sift_down(std::size_t slot, const Node& node) noexcept {
  for (;;) {
    const std::size_t first = slot * 4 + 1;
    if (first >= heap_.size()) break;
    const std::size_t end = std::min(first + 4, heap_.size());
    std::size_t least = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (heap_[child].before(heap_[least])) least = child;
    }
    if (!heap_[least].before(node)) break;
    place(slot, heap_[least]);
    slot = least;
  }
  place(slot, node);
}

}  // namespace trueasync::detail
