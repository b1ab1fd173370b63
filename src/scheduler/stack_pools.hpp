// Stack pools by size: the runtime's default, and one for every other size that was asked for. Throws nothing once made.
#pragma once

#include <memory>
#include <vector>

#include "context/stack_pool.hpp"

namespace trueasync::detail {

class StackPools {
 public:
  // Throws MisuseError when the options are wrong.
  explicit StackPools(const StackPoolOptions& options);

  StackPool& standard() noexcept { return *pools_.front(); }
  // The pool for stacks of `size` bytes, made when it is new. Throws MisuseError, std::bad_alloc.
  StackPool& of_size(std::size_t size);

  // Gives memory back where it is time; returns when the next step is due.
  TimePoint trim(TimePoint now) noexcept;
  StackPoolStats totals() const noexcept;
  // Abandoned stacks go with the pools after all: nothing refers to them any more.
  void unmap_abandoned_on_destroy() noexcept {
    for (auto& pool : pools_) pool->unmap_abandoned_on_destroy();
  }

 private:
  StackPoolOptions options_;
  std::vector<std::unique_ptr<StackPool>> pools_;
};

}  // namespace trueasync::detail
