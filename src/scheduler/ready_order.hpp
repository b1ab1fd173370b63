// Which ready coroutine runs next. Without one the queue is first in, first out; tests put a seeded order here to find
// the schedules a program did not expect.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ring_buffer.hpp"

namespace trueasync::detail {

struct ControlBlock;

class ReadyOrder {
 public:
  virtual ~ReadyOrder() = default;
  // The position, counted from the head, of the one to run. The queue is not empty.
  virtual std::size_t pick(const RingBuffer<ControlBlock*>& queue) = 0;
};

}  // namespace trueasync::detail
