#include "scheduler/stack_pools.hpp"

#include <algorithm>

#include "trueasync/error.hpp"

namespace trueasync::detail {

StackPools::StackPools(const StackPoolOptions& options) : options_(options) {
  if (std::string wrong = StackPool::validate(options); !wrong.empty()) throw MisuseError(wrong);
  pools_.push_back(std::make_unique<StackPool>(options));
}

StackPool& StackPools::of_size(std::size_t size) {
  for (auto& pool : pools_) {
    if (pool->stack_size() == size) return *pool;
  }
  StackPoolOptions options = options_;
  options.stack_size = size;
  options.floor = 0;
  if (std::string wrong = StackPool::validate(options); !wrong.empty()) throw MisuseError(wrong);
  pools_.push_back(std::make_unique<StackPool>(options));
  return *pools_.back();
}

TimePoint StackPools::trim(TimePoint now) noexcept {
  TimePoint next = TimePoint::max();
  for (auto& pool : pools_) {
    pool->start_window(now);
    if (now >= pool->next_trim()) pool->trim(now);
    next = std::min(next, pool->next_trim());
  }
  return next;
}

StackPoolStats StackPools::totals() const noexcept {
  StackPoolStats sum;
  for (const auto& pool : pools_) {
    const StackPoolStats& stats = pool->stats();
    sum.in_use += stats.in_use;
    sum.warm += stats.warm;
    sum.cold += stats.cold;
    sum.mapped += stats.mapped;
    sum.memory_released += stats.memory_released;
    sum.reused += stats.reused;
  }
  return sum;
}

}  // namespace trueasync::detail
