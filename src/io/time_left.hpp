// TimeLeft: one limit for an operation of several steps.
#pragma once

#include <algorithm>

#include "io/io_handle.hpp"
#include "scheduler/face.hpp"

namespace trueasync::detail {

class TimeLeft {
 public:
  explicit TimeLeft(Limit limit) : deadline_(deadline_of(limit)) {}

  // For the next step; zero when it has passed.
  Limit limit() const {
    if (!deadline_) return std::nullopt;
    const auto left = *deadline_ - this_scheduler("a limit").reactor().now();
    return std::max(std::chrono::nanoseconds(left), std::chrono::nanoseconds::zero());
  }

 private:
  IoDeadline deadline_;
};

}  // namespace trueasync::detail
