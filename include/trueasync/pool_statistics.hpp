// Figures of one pool at one moment (POOL-12). A plain value, copied out.
//
// created - destroyed = total = idle + active, always.
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
  std::size_t active = 0;    // leased, reserved, or in the hands of a hook or of a health check
  std::size_t reserved = 0;  // of the active ones: promised to somebody who was woken and has not run yet
  std::size_t creating = 0;  // being made; they count against max, not in total
  std::size_t waiting = 0;

  std::uint64_t created = 0;
  std::uint64_t destroyed = 0;
  std::uint64_t acquired = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t failed_creations = 0;
  std::uint64_t failed_checks = 0;  // resources that a health check or a hook refused
  std::uint64_t leaks = 0;          // leases that were held for longer than leak_after

  // By the loop's clock: what begins and ends within one look at the reactor (250 µs) counts as nothing.
  Histogram wait;
  Histogram hold;
  Histogram create;
  Histogram age;  // of destroyed resources
};

}  // namespace trueasync
