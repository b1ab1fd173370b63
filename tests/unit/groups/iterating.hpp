// What the tests of concurrent iteration share.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/reactor_test.hpp"
#include "trueasync/iterate.hpp"

namespace trueasync::test {

inline std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Counts how many calls are under way.
struct Load {
  struct Call {
    Load& load;
    explicit Call(Load& counted) : load(counted) { load.highest = std::max(load.highest, ++load.now); }
    ~Call() { --load.now; }
  };
  int now = 0;
  int highest = 0;
};

}  // namespace trueasync::test
