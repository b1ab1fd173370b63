#include "trueasync/retry.hpp"

#include <algorithm>
#include <atomic>

#include "reactor/deadline_after.hpp"
#include "scheduler/face.hpp"

namespace trueasync {

namespace {

// splitmix64: small, and good for any seed.
std::uint64_t next_random(std::uint64_t& state) noexcept {
  std::uint64_t mixed = state += 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

std::uint64_t fresh_seed() noexcept {
  static std::atomic<std::uint64_t> calls{0};
  const auto now = Clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) + (calls.fetch_add(1, std::memory_order_relaxed) << 32);
}

}  // namespace

Backoff::Backoff(const RetryOptions& options)
    : pause_(static_cast<double>(options.first.count())),
      longest_(static_cast<double>(options.longest.count())),
      factor_(std::max(options.factor, 1.0)),
      jitter_(std::clamp(options.jitter, 0.0, 1.0)),
      random_(options.seed ? options.seed : fresh_seed()) {}

std::chrono::nanoseconds Backoff::next() noexcept {
  const double part = static_cast<double>(next_random(random_) >> 11) * 0x1p-53;
  const double pause = std::min(pause_, longest_);
  pause_ = std::min(pause_ * factor_, longest_);
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::max(pause * (1 - jitter_ * part), 0.0)));
}

void detail::pause(std::chrono::nanoseconds duration, Place place) {
  Scheduler& scheduler = this_scheduler("retry");
  const WakeReason reason = scheduler.sleep_until(deadline_after(scheduler.reactor().now(), duration), place);
  if (reason != WakeReason::timed_out) raise_unless_well(scheduler, reason, nullptr);
}

}  // namespace trueasync
