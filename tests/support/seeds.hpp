// Runs a scenario with many seeds. TRUEASYNC_SEED=n runs only seed n, TRUEASYNC_SEEDS=n runs n seeds. The first failing
// seed is printed and ends the loop.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace trueasync::test {

template <class F>
void for_each_seed(std::uint64_t count, F&& scenario) {
  std::uint64_t first = 1;
  if (const char* value = std::getenv("TRUEASYNC_SEEDS")) count = std::strtoull(value, nullptr, 10);
  if (const char* value = std::getenv("TRUEASYNC_SEED")) {
    first = std::strtoull(value, nullptr, 10);
    count = 1;
  }
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    scenario(seed);
    if (::testing::Test::HasFailure()) {
      std::printf("failed with seed %llu; replay with TRUEASYNC_SEED=%llu\n", static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(seed));
      return;
    }
  }
}

// Runs each seed without cancellation, then once per suspension with a cancellation there. play(seed, n) cancels at the
// n-th suspension (0: none) and returns the number of suspensions.
template <class F>
void for_each_seed_and_cancellation_point(std::uint64_t count, F&& play) {
  for_each_seed(count, [&](std::uint64_t seed) {
    const std::size_t suspensions = play(seed, std::size_t{0});
    for (std::size_t at = 1; at <= suspensions && !::testing::Test::HasFailure(); ++at) {
      play(seed, at);
      if (::testing::Test::HasFailure()) ADD_FAILURE() << "with a cancellation at suspension " << at;
    }
  });
}

}  // namespace trueasync::test
