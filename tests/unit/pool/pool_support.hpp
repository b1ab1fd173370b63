// Service: creates numbered connections for tests of pools, with a delay or an error on request, and counts the calls.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "pool/resource_pool.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/pool/pool.hpp"

namespace trueasync::test {

using namespace std::chrono_literals;

struct Connection {
  int number = 0;
  bool is_healthy = true;
};

struct Service {
  int created = 0;
  int in_flight = 0;
  int max_in_flight = 0;
  std::vector<int> destroyed;
  bool is_down = false;
  std::chrono::nanoseconds create_delay{0};

  std::unique_ptr<Connection> create() {
    max_in_flight = std::max(max_in_flight, ++in_flight);
    struct InFlightGuard {
      int& count;
      ~InFlightGuard() { --count; }
    } guard{in_flight};
    if (create_delay.count() > 0) delay(create_delay);
    if (is_down) throw std::runtime_error("refused");
    return std::make_unique<Connection>(Connection{++created});
  }

  PoolOptions<Connection> options(std::size_t max, std::size_t min = 0) {
    PoolOptions<Connection> result;
    result.factory = [this] { return create(); };
    result.destructor = [this](Connection& connection) { destroyed.push_back(connection.number); };
    result.min = min;
    result.max = max;
    return result;
  }
};

inline void expect_consistent_counts(const PoolStatistics& now) {
  EXPECT_EQ(now.created - now.destroyed, now.total);
  EXPECT_EQ(now.idle + now.active, now.total);
  EXPECT_LE(now.reserved, now.active);
}

template <class T>
void expect_consistent_counts(const Pool<T>& pool) {
  expect_consistent_counts(pool.statistics());
}

inline void yield_times(int count) {
  for (int i = 0; i < count; ++i) yield();
}

}  // namespace trueasync::test
