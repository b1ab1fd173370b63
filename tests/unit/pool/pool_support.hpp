// A service for tests of pools: it makes numbered things, slowly or not at all if told so, and counts.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "pool/resource_pool.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/pool.hpp"

namespace trueasync::test {

using namespace std::chrono_literals;

struct Thing {
  int number = 0;
  bool is_alive = true;
};

struct Service {
  int made = 0;
  int under_way = 0;
  int most_under_way = 0;
  std::vector<int> destroyed;
  bool is_down = false;
  std::chrono::nanoseconds takes{0};

  std::unique_ptr<Thing> make() {
    most_under_way = std::max(most_under_way, ++under_way);
    struct Leave {
      int& count;
      ~Leave() { --count; }
    } leave{under_way};
    if (takes.count() > 0) delay(takes);
    if (is_down) throw std::runtime_error("refused");
    return std::make_unique<Thing>(Thing{++made});
  }

  PoolOptions<Thing> options(std::size_t max, std::size_t min = 0) {
    PoolOptions<Thing> given;
    given.factory = [this] { return make(); };
    given.destructor = [this](Thing& thing) { destroyed.push_back(thing.number); };
    given.min = min;
    given.max = max;
    return given;
  }
};

inline void expect_balance(const PoolStatistics& now) {
  EXPECT_EQ(now.created - now.destroyed, now.total);
  EXPECT_EQ(now.idle + now.active, now.total);
  EXPECT_LE(now.reserved, now.active);
}

template <class T>
void expect_balance(const Pool<T>& pool) {
  expect_balance(pool.statistics());
}

inline void yield_times(int count) {
  for (int i = 0; i < count; ++i) yield();
}

}  // namespace trueasync::test
