// The coroutines that can run (SCH-08): a ring, first in first out, HIGH at its head (PRI-01).
//
// Those woken by a look at the reactor while others were ready stand in a second ring, and the two take turns. So
// neither can starve the other (SCH-06): a coroutine that sleeps or reads goes on soon although a hundred thousand are
// waiting to start – and what it then finishes frees a stack for one of them.
//
// Room for everybody is made at spawn, so pushing never allocates. Threads: one.
#pragma once

#include <cstddef>

#include "base/ring_buffer.hpp"

namespace trueasync::detail {

struct ControlBlock;

class ReadyOrder {
 public:
  virtual ~ReadyOrder() = default;
  // The position, counted from the head, of the one to run. The queue is not empty.
  virtual std::size_t pick(const RingBuffer<ControlBlock*>& queue) = 0;
};

class ReadyQueue {
 public:
  bool empty() const noexcept { return ring_.empty() && from_reactor_.empty(); }
  std::size_t size() const noexcept { return ring_.size() + from_reactor_.size(); }
  bool has_from_reactor() const noexcept { return !from_reactor_.empty(); }
  std::size_t woken() const noexcept { return from_reactor_.size(); }

  void reserve(std::size_t count) {
    ring_.reserve(count);
    from_reactor_.reserve(count);
  }

  // Gives memory back after a burst; keeps room for `count`.
  void shrink(std::size_t count) {
    ring_.shrink(count);
    from_reactor_.shrink(count);
  }

  void push_back(ControlBlock* block) noexcept { ring_.push_back(block); }
  void push_front(ControlBlock* block) noexcept { ring_.push_front(block); }
  void push_from_reactor(ControlBlock* block) noexcept { from_reactor_.push_back(block); }

  // The next to run; the queue is not empty. `order` decides in its place when there is one.
  ControlBlock* pop(ReadyOrder* order) noexcept {
    if (__builtin_expect(order != nullptr, 0)) return ring_.take(order->pick(ring_));
    if (__builtin_expect(!from_reactor_.empty(), 0) && (reactor_queue_next_ || ring_.empty())) {
      reactor_queue_next_ = false;
      return from_reactor_.pop_front();
    }
    reactor_queue_next_ = true;
    return ring_.pop_front();
  }

  // The plain ring, for the fast path of a yield while nobody stands in the other one.
  RingBuffer<ControlBlock*>& ring() noexcept { return ring_; }

 private:
  RingBuffer<ControlBlock*> ring_;
  RingBuffer<ControlBlock*> from_reactor_;
  bool reactor_queue_next_ = false;
};

}  // namespace trueasync::detail
