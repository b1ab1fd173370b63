// The queue behind trueasync/microtask.hpp.
#pragma once

#include <cstddef>

#include "trueasync/microtask.hpp"

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
  // Runs up to `bound`; stops at the first that fails and returns its error. `run` counts those that ran.
  std::exception_ptr run(unsigned bound, std::uint64_t& run) noexcept;
  // Drops everything unrun: the final step of a shutdown.
  void clear() noexcept;

 private:
  Microtask* pop() noexcept;

  Microtask* first_ = nullptr;
  Microtask* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace trueasync::detail
