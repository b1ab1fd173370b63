// ReadyQueue: the coroutines that can run. A FIFO ring; coroutines of high priority are pushed to its head.
//
// Coroutines that a reactor poll wakes while others are ready go to a second ring, and pop() alternates between the two
// rings. So neither starves the other: a coroutine that sleeps or reads resumes soon even if a hundred thousand new
// coroutines are queued, and when it finishes it frees a stack for one of them.
//
// Capacity is reserved at spawn, so a push never allocates.
// Thread safety: the scheduler's thread.
#pragma once

#include <cstddef>

#include "base/ring_buffer.hpp"

namespace trueasync::detail {

struct ControlBlock;

// ReadyOrder: chooses the next coroutine instead of FIFO order. Tests use a seeded order to explore schedules.
class ReadyOrder {
 public:
  virtual ~ReadyOrder() = default;
  // Returns the position, counted from the head, of the next coroutine. `queue` is not empty.
  virtual std::size_t pick(const RingBuffer<ControlBlock*>& queue) = 0;
};

class ReadyQueue {
 public:
  bool empty() const noexcept { return ring_.empty() && from_reactor_.empty(); }
  std::size_t size() const noexcept { return ring_.size() + from_reactor_.size(); }
  bool has_from_reactor() const noexcept { return !from_reactor_.empty(); }
  std::size_t from_reactor_size() const noexcept { return from_reactor_.size(); }

  void reserve(std::size_t count) {
    ring_.reserve(count);
    from_reactor_.reserve(count);
  }

  // Releases memory after a burst; keeps capacity for `count` coroutines.
  void shrink(std::size_t count) {
    ring_.shrink(count);
    from_reactor_.shrink(count);
  }

  void push_back(ControlBlock* block) noexcept { ring_.push_back(block); }
  void push_front(ControlBlock* block) noexcept { ring_.push_front(block); }
  void push_from_reactor(ControlBlock* block) noexcept { from_reactor_.push_back(block); }

  // Removes and returns the next coroutine. The queue must not be empty. `order`, if not null, chooses the coroutine.
  ControlBlock* pop(ReadyOrder* order) noexcept {
    if (__builtin_expect(order != nullptr, 0)) return ring_.take(order->pick(ring_));
    if (__builtin_expect(!from_reactor_.empty(), 0) && (reactor_queue_next_ || ring_.empty())) {
      reactor_queue_next_ = false;
      return from_reactor_.pop_front();
    }
    reactor_queue_next_ = true;
    return ring_.pop_front();
  }

  // The main ring, for the fast paths. They may use it only while the reactor's ring is empty.
  RingBuffer<ControlBlock*>& ring() noexcept { return ring_; }

 private:
  RingBuffer<ControlBlock*> ring_;
  RingBuffer<ControlBlock*> from_reactor_;
  bool reactor_queue_next_ = false;
};

}  // namespace trueasync::detail
