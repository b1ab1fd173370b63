// MicrotaskQueue: the FIFO queue of trueasync/host.hpp. Holds a reference to each queued microtask.
#pragma once

#include <cstddef>

#include "trueasync/host.hpp"

namespace trueasync::detail {

class MicrotaskQueue {
 public:
  MicrotaskQueue() = default;
  MicrotaskQueue(const MicrotaskQueue&) = delete;
  MicrotaskQueue& operator=(const MicrotaskQueue&) = delete;
  ~MicrotaskQueue() { clear(); }

  bool empty() const noexcept { return first_ == nullptr; }
  std::size_t size() const noexcept { return size_; }

  void push(Microtask& task) noexcept;
  // Runs up to `bound` microtasks; stops at the first that fails and returns its error. Adds the number run to `run`.
  std::exception_ptr run(unsigned bound, std::uint64_t& run) noexcept;
  // Drops all queued microtasks without running them.
  void clear() noexcept;

 private:
  Microtask* pop() noexcept;

  Microtask* first_ = nullptr;
  Microtask* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace trueasync::detail
