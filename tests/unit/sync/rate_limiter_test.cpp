#include "trueasync/sync/rate_limiter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "trueasync/testing.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

std::chrono::milliseconds ms(std::chrono::nanoseconds time) {
  return std::chrono::round<std::chrono::milliseconds>(time);
}

TEST(RateLimiter, GrantsBurstThenKeepsRate) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    RateLimiter limiter({.per_second = 10, .burst = 3});
    for (int i = 0; i < 3; ++i) limiter.acquire();
    EXPECT_EQ(simulation.now(), 0ns);
    EXPECT_FALSE(limiter.try_acquire());
    for (int i = 0; i < 5; ++i) limiter.acquire();
    EXPECT_EQ(ms(simulation.now()), 500ms);
    delay(10s);
    EXPECT_DOUBLE_EQ(limiter.available(), 3);  // at most the burst
  });
}

// R1
TEST(RateLimiter, GrantsInFifoOrderAndCancelledWaiterTakesNothing) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] {
    RateLimiter limiter({.per_second = 1, .burst = 2});
    limiter.acquire(2);
    std::vector<int> order;
    std::vector<Task<void>> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(spawn([&, i] {
        limiter.acquire(i == 0 ? 2 : 1);
        order.push_back(i);
      }));
    }
    delay(1500ms);
    EXPECT_FALSE(limiter.try_acquire());  // enough for one token, but other waiters are first
    all[0].cancel();
    for (int i : {1, 2}) await(all[static_cast<std::size_t>(i)]);
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
    EXPECT_EQ(ms(simulation.now()), 2000ms);
  });
}

TEST(RateLimiter, TimeoutEndsAcquire) {
  testing::Simulation simulation;
  simulation.run([&] {
    RateLimiter limiter({.per_second = 1, .burst = 1});
    limiter.acquire();
    EXPECT_THROW(limiter.acquire(1, 100ms), TimeoutError);
    EXPECT_EQ(ms(simulation.now()), 100ms);
    limiter.acquire(1, 900ms);
    EXPECT_THROW(limiter.acquire(2), MisuseError);
  });
  EXPECT_THROW(RateLimiter({.per_second = 0}), MisuseError);
}

TEST(RateLimiter, RejectsNegativeAndNanAmounts) {
  testing::Simulation simulation;
  simulation.run([&] {
    RateLimiter limiter({.per_second = 1, .burst = 2});
    EXPECT_THROW(limiter.acquire(-1), MisuseError);
    EXPECT_THROW(limiter.try_acquire(-1), MisuseError);
    EXPECT_THROW(limiter.acquire(std::nan("")), MisuseError);
    limiter.acquire(0);
    EXPECT_DOUBLE_EQ(limiter.available(), 2);
  });
}

TEST(RateLimiter, TimeoutEndsWaitBeyondClockRange) {
  testing::Simulation simulation;
  simulation.run([&] {
    RateLimiter limiter({.per_second = 1e-12, .burst = 1});
    limiter.acquire();
    EXPECT_THROW(limiter.acquire(1, 1h), TimeoutError);
    EXPECT_EQ(simulation.now(), 1h);
  });
}

}  // namespace
}  // namespace trueasync
