// PoolStatistics: counters of a pool. Always: created - destroyed = total = idle + active.
//
// Thread safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trueasync/histogram.hpp"

namespace trueasync {

struct PoolStatistics {
  std::size_t min = 0;
  std::size_t max = 0;
  std::size_t total = 0;
  std::size_t idle = 0;
  std::size_t active = 0;    // leased, reserved, or used by a hook or a health check
  std::size_t reserved = 0;  // of the active resources: granted to a waiter that has not run yet
  std::size_t creating = 0;  // being created; count against `max`, not in `total`
  std::size_t waiting = 0;

  std::uint64_t created = 0;
  std::uint64_t destroyed = 0;
  std::uint64_t acquired = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t failed_creations = 0;
  std::uint64_t failed_checks = 0;  // resources rejected by a health check or a hook
  std::uint64_t leaks = 0;          // leases held longer than leak_threshold

  // Measured with the event loop's cached time: durations shorter than one poll interval (250 µs) may count as 0.
  Histogram wait;
  Histogram hold;
  Histogram create;
  Histogram age;  // of destroyed resources
};

}  // namespace trueasync
