// StackPool follows demand: it grows immediately and shrinks with a delay. The tests use their own clock.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "context/stack_pool.hpp"
#include "environment.hpp"

namespace trueasync::detail {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class StackTrim : public testing::Test {
 protected:
  // Acquires `count` stacks, writes to each, and releases them all.
  static void burst(StackPool& pool, std::size_t count) {
    std::vector<Stack*> stacks;
    for (std::size_t i = 0; i < count; ++i) {
      stacks.push_back(pool.acquire());
      ASSERT_NE(stacks.back(), nullptr) << pool.failure().message;
      *(stacks.back()->start() - 1) = 1;
    }
    for (Stack* stack : stacks) pool.release(stack);
  }

  // Runs every trim step that is due, up to and including `until`.
  void run_until(StackPool& pool, TimePoint until) {
    pool.start_window(now_);
    while (pool.next_trim() <= until) {
      ASSERT_GT(pool.next_trim(), now_) << "a step must move the time on";
      now_ = pool.next_trim();
      pool.trim(now_);
      ++steps_;
    }
    now_ = until;
  }
  void pass_windows(StackPool& pool, int count) {
    for (int i = 0; i < count; ++i) run_until(pool, now_ + seconds(1));
  }
  static std::size_t alive(const StackPool& pool) { return pool.stats().in_use + pool.stats().warm; }

  TimePoint now_{seconds(1000)};
  int steps_ = 0;
};

// CTX-02 ST-11
TEST_F(StackTrim, BurstIsKeptThenReleased) {
  StackPool pool({});
  burst(pool, 1000);
  EXPECT_EQ(alive(pool), 1000u);
  pass_windows(pool, 1);
  EXPECT_EQ(alive(pool), 1000u) << "the window of the burst ends: all is held";
  burst(pool, 1000);
  EXPECT_EQ(pool.stats().memory_released, 0u) << "the next burst finds everything warm";
  pass_windows(pool, 1);
  EXPECT_EQ(alive(pool), 1000u);
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 8; ++i) {
    pass_windows(pool, 1);
    sizes.push_back(alive(pool));
  }
  // 500 stacks in one window are more than a step: the rest follows within the window, so the last step shows in the
  // next.
  EXPECT_EQ(sizes.front(), 744u);
  for (std::size_t i = 1; i < sizes.size(); ++i) EXPECT_LE(sizes[i], sizes[i - 1]);
  EXPECT_EQ(sizes.back(), 16u);
  EXPECT_EQ(pool.stats().warm, 16u);
}

// CTX-02
TEST_F(StackTrim, TrimReturnsMemoryToKernel) {
  StackPool pool({.floor = 4});
  std::vector<Stack*> stacks;
  for (int i = 0; i < 64; ++i) {
    stacks.push_back(pool.acquire());
    *(stacks.back()->start() - 1) = 1;
  }
  const auto resident = [&] {
    std::size_t pages = 0;
    for (const Stack* stack : stacks) pages += resident_pages(stack->limit(), stack->top());
    return pages;
  };
  EXPECT_EQ(resident(), 64u);
  for (Stack* stack : stacks) pool.release(stack);
  pass_windows(pool, 10);
  EXPECT_EQ(resident(), 4u);
  EXPECT_EQ(pool.stats().memory_released, 60u);
  EXPECT_EQ(pool.stats().cold, 60u);
}

// CTX-02
TEST_F(StackTrim, TrimsColdestStacksFirst) {
  StackPool pool({.floor = 2});
  Stack* stacks[4];
  for (Stack*& stack : stacks) stack = pool.acquire();
  for (const int i : {2, 0, 3, 1}) pool.release(stacks[i]);
  pass_windows(pool, 6);
  EXPECT_TRUE(stacks[2]->cold);
  EXPECT_TRUE(stacks[0]->cold);
  EXPECT_FALSE(stacks[3]->cold);
  EXPECT_FALSE(stacks[1]->cold);
  EXPECT_EQ(pool.acquire(), stacks[1]);
  EXPECT_EQ(pool.acquire(), stacks[3]);
  // Cold stacks are reused before new stacks are carved.
  Stack* third = pool.acquire();
  Stack* fourth = pool.acquire();
  EXPECT_TRUE((third == stacks[0] && fourth == stacks[2]) || (third == stacks[2] && fourth == stacks[0]));
  for (Stack* stack : stacks) pool.release(stack);
}

// CTX-02 ST-11
TEST_F(StackTrim, KeepsFloorWarm) {
  StackPool pool({.floor = 50});
  burst(pool, 40);
  pool.start_window(now_);
  EXPECT_EQ(pool.next_trim(), TimePoint::max());
  burst(pool, 60);
  pass_windows(pool, 20);
  EXPECT_EQ(pool.stats().warm, 50u);
}

// CTX-02 ST-11: the same demand in every window uses warm stacks only.
TEST_F(StackTrim, SteadyUseKeepsStacksWarm) {
  StackPool pool({});
  burst(pool, 100);
  for (int i = 0; i < 20; ++i) {
    pass_windows(pool, 1);
    burst(pool, 100);
  }
  EXPECT_EQ(pool.stats().memory_released, 0u);
  EXPECT_EQ(pool.stats().reused, 2000u);
}

// CTX-02
TEST_F(StackTrim, SteadyUseDoesNotKeepBurstMemory) {
  StackPool pool({});
  burst(pool, 2000);
  for (int i = 0; i < 20; ++i) {
    burst(pool, 20);
    pass_windows(pool, 1);
  }
  EXPECT_LE(alive(pool), 20u);
}

// CTX-02
TEST_F(StackTrim, StacksInUseAreNotTrimmed) {
  StackPool pool({.floor = 0});
  Stack* kept = pool.acquire();
  *(kept->start() - 1) = 77;
  burst(pool, 500);
  pass_windows(pool, 20);
  EXPECT_EQ(*(kept->start() - 1), 77);
  EXPECT_EQ(pool.stats().warm, 0u);
  EXPECT_EQ(pool.next_trim(), TimePoint::max());
  pool.release(kept);
  // A stack released later is trimmed like any other.
  pass_windows(pool, 3);
  EXPECT_EQ(pool.stats().warm, 0u);
}

// CTX-02
TEST_F(StackTrim, StepsAreBounded) {
  StackPool pool({.trim_batch = 10});
  burst(pool, 300);
  pool.start_window(now_);
  std::uint64_t before = 0;
  while (pool.next_trim() != TimePoint::max()) {
    now_ = pool.next_trim();
    pool.trim(now_);
    EXPECT_LE(pool.stats().memory_released - before, 10u);
    before = pool.stats().memory_released;
    ASSERT_LT(++steps_, 1000);
  }
  EXPECT_EQ(pool.stats().warm, 16u);
}

TEST_F(StackTrim, EarlyTrimHasNoEffect) {
  StackPool pool({});
  burst(pool, 100);
  pool.trim(now_ + seconds(100));
  EXPECT_EQ(pool.stats().memory_released, 0u) << "the clock was not started";
  pool.start_window(now_);
  pool.start_window(now_ + milliseconds(500));
  EXPECT_EQ(pool.next_trim(), now_ + seconds(1)) << "the clock starts once";
  pool.trim(now_ + milliseconds(999));
  EXPECT_EQ(pool.stats().memory_released, 0u);
}

// CTX-02
TEST_F(StackTrim, IdleSlabsAreUnmappedExceptTheFirst) {
  StackPool pool({.floor = 0});
  burst(pool, 1000);
  EXPECT_EQ(pool.stats().slabs_mapped, 5u);
  pass_windows(pool, 30);
  EXPECT_EQ(pool.stats().slabs_unmapped, 4u);
  EXPECT_EQ(pool.stats().cold + pool.stats().warm, pool.stats().mapped);
  EXPECT_EQ(pool.stats().mapped, 64u);
  // The pool grows again.
  burst(pool, 1000);
  EXPECT_EQ(alive(pool), 1000u);
  EXPECT_EQ(pool.stats().slabs_mapped, 9u);
}

// CTX-02: an idle program is not woken.
TEST_F(StackTrim, NoTrimIsDueWhenFullyTrimmed) {
  StackPool pool({});
  EXPECT_EQ(pool.next_trim(), TimePoint::max());
  EXPECT_FALSE(pool.needs_clock());
  burst(pool, 100);
  EXPECT_TRUE(pool.needs_clock());
  pass_windows(pool, 20);
  EXPECT_EQ(pool.next_trim(), TimePoint::max());
  EXPECT_FALSE(pool.needs_clock());
  EXPECT_LT(steps_, 10);
  const int before = steps_;
  pass_windows(pool, 100);
  EXPECT_EQ(steps_, before);
}

// CTX-02: no stack is free, so no trim is due before a release.
TEST_F(StackTrim, NoTrimIsDueWhileAllStacksAreInUse) {
  StackPool pool({});
  std::vector<Stack*> stacks;
  for (int i = 0; i < 500; ++i) stacks.push_back(pool.acquire());
  EXPECT_FALSE(pool.needs_clock());
  pool.start_window(now_);
  EXPECT_EQ(pool.next_trim(), TimePoint::max());
  for (Stack* stack : stacks) pool.release(stack);
  EXPECT_TRUE(pool.needs_clock());
}

}  // namespace
}  // namespace trueasync::detail
