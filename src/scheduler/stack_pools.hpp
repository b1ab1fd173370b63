// StackPools: one stack pool for the runtime's default stack size and one for every other requested size.
#pragma once

#include <memory>
#include <vector>

#include "context/stack_pool.hpp"

namespace trueasync::detail {

class StackPools {
 public:
  // Throws MisuseError for invalid options.
  explicit StackPools(const StackPoolOptions& options);

  StackPool& standard() noexcept { return *pools_.front(); }
  // The pool for stacks of `size` bytes, created on first use. Throws MisuseError or std::bad_alloc.
  StackPool& of_size(std::size_t size);

  // Releases memory of the pools whose trim is due. Returns the time of the next trim.
  TimePoint trim(TimePoint now) noexcept;
  StackPoolStats totals() const noexcept;
  // Lets the pools unmap abandoned stacks in their destructor: no code refers to these stacks any more.
  void unmap_abandoned_on_destroy() noexcept {
    for (auto& pool : pools_) pool->unmap_abandoned_on_destroy();
  }

 private:
  StackPoolOptions options_;
  std::vector<std::unique_ptr<StackPool>> pools_;
};

}  // namespace trueasync::detail
