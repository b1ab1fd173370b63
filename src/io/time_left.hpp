// TimeLeft: one limit for an operation of several steps.
#pragma once

#include <algorithm>

#include "io/io_handle.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

class RemainingTime {
 public:
  explicit RemainingTime(Limit timeout) : deadline_(to_deadline(timeout)) {}

  // For the next step; zero when it has passed.
  Limit timeout() const {
    if (!deadline_) return std::nullopt;
    const auto left = *deadline_ - require_scheduler("a limit").reactor().now();
    return std::max(std::chrono::nanoseconds(left), std::chrono::nanoseconds::zero());
  }

 private:
  IoDeadline deadline_;
};

}  // namespace trueasync::detail
