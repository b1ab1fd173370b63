// Helpers for the tests of iterate().
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/reactor_test.hpp"
#include "trueasync/scope/iterate.hpp"

namespace trueasync::test {

inline std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Load: counts the calls in flight.
struct Load {
  struct Call {
    Load& load;
    explicit Call(Load& counted) : load(counted) { load.max = std::max(load.max, ++load.current); }
    ~Call() { --load.current; }
  };
  int current = 0;
  int max = 0;
};

}  // namespace trueasync::test
