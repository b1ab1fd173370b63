// StackPool: options, reuse, limits, hooks. stack_trim_test.cpp tests how it releases memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "context/stack_pool.hpp"
#include "environment.hpp"
#include "test_coroutine.hpp"

namespace trueasync::detail {
namespace {

// CTX-01
TEST(StackPool, AcquireReturnsMostRecentlyReleasedStack) {
  StackPool pool({});
  Stack* one = pool.acquire();
  Stack* two = pool.acquire();
  pool.release(one);
  pool.release(two);
  EXPECT_EQ(pool.stats().warm, 2u);
  EXPECT_EQ(pool.acquire(), two);
  EXPECT_EQ(pool.acquire(), one);
  EXPECT_EQ(pool.stats().reused, 2u);
  pool.release(one);
  pool.release(two);
}

TEST(StackPool, StacksDoNotOverlap) {
  StackPool pool({.stack_size = 32 * 1024});
  std::vector<Stack*> stacks;
  std::map<std::uint8_t*, std::uint8_t*> ranges;
  for (int i = 0; i < 1000; ++i) {
    stacks.push_back(pool.acquire());
    ranges[stacks.back()->base()] = stacks.back()->top();
  }
  ASSERT_EQ(ranges.size(), stacks.size());
  std::uint8_t* end = nullptr;
  for (const auto& [base, top] : ranges) {
    EXPECT_GE(base, end);
    EXPECT_EQ(top - base, 32 * 1024);
    end = top;
  }
  EXPECT_EQ(pool.stats().peak, 1000u);
  EXPECT_EQ(pool.stats().slabs_mapped, 5u);  // 64, 128, 256, 512, 1024
  for (Stack* stack : stacks) pool.release(stack);
}

TEST(StackPool, StartsAreColoredWithinTopPage) {
  StackPool pool({});
  std::vector<Stack*> stacks;
  std::set<std::ptrdiff_t> colors;
  for (int i = 0; i < 64; ++i) {
    Stack* stack = pool.acquire();
    stacks.push_back(stack);
    colors.insert(stack->top() - stack->start());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(stack->start()) % 64, 0u);
    EXPECT_LE(stack->top() - stack->start(), 4096 - 2560);  // 2.5 KiB of the top page remain for frames
  }
  EXPECT_EQ(colors.size(), kColors);
  for (Stack* stack : stacks) pool.release(stack);
}

TEST(StackPool, UnusedStacksAreNotResident) {
  StackPool pool({});
  Stack* used = pool.acquire();
  Stack* unused = pool.acquire();
  *(used->start() - 1) = 1;
  EXPECT_EQ(resident_pages(used->limit(), used->top()), 1u);
  EXPECT_EQ(resident_pages(unused->limit(), unused->top()), 0u);
  pool.release(used);
  pool.release(unused);
}

// CTX-04
TEST(StackPool, MaxStacksIsReportedWithoutLeak) {
  StackPool pool({.max_stacks = 100});
  std::vector<Stack*> stacks;
  for (int i = 0; i < 100; ++i) stacks.push_back(pool.acquire());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pool.acquire(), nullptr);
  EXPECT_EQ(pool.failure().limit, "max_stacks");
  EXPECT_NE(pool.failure().message.find("100"), std::string::npos) << pool.failure().message;
  EXPECT_EQ(pool.stats().mapped, 100u);
  EXPECT_EQ(pool.stats().in_use, 100u);
  pool.release(stacks.back());
  EXPECT_EQ(pool.acquire(), stacks.back());
  for (Stack* stack : stacks) pool.release(stack);
}

// CTX-04
TEST(StackPool, ReservationsCountAgainstMaxStacks) {
  for (const GuardKind guard : {GuardKind::automatic, GuardKind::mprotect}) {
    StackPool pool({.guard = guard, .max_stacks = 100});
    std::vector<Stack*> stacks;
    for (int i = 0; i < 40; ++i) stacks.push_back(pool.acquire());
    for (int i = 0; i < 60; ++i) EXPECT_TRUE(pool.reserve());
    EXPECT_FALSE(pool.reserve());
    EXPECT_EQ(pool.failure().limit, "max_stacks");
    for (int i = 0; i < 59; ++i) {
      stacks.push_back(pool.acquire_reserved());
      ASSERT_NE(stacks.back(), nullptr);
    }
    pool.unreserve();
    EXPECT_TRUE(pool.reserve());
    pool.unreserve();
    for (Stack* stack : stacks) pool.release(stack);
  }
}

// CTX-02 CTX-04: slabs are unmapped, except those that reservations need.
TEST(StackPool, TrimKeepsReservedStacks) {
  for (const GuardKind guard : {GuardKind::automatic, GuardKind::mprotect}) {
    StackPool pool({.guard = guard, .floor = 0});
    std::vector<Stack*> stacks;
    for (int i = 0; i < 1000; ++i) stacks.push_back(pool.acquire());
    for (Stack* stack : stacks) pool.release(stack);
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(pool.reserve());
    const TimePoint start{};
    pool.start_window(start);
    for (int i = 1; i < 100; ++i) pool.trim(start + std::chrono::seconds(i));
    EXPECT_GT(pool.stats().slabs_unmapped, 0u);
    EXPECT_GE(pool.stats().mapped, 300u);
    const std::uint64_t mapped = pool.stats().slabs_mapped;
    for (int i = 0; i < 300; ++i) {
      stacks[i] = pool.acquire_reserved();
      ASSERT_NE(stacks[i], nullptr);
    }
    EXPECT_EQ(pool.stats().slabs_mapped, mapped);
    for (int i = 0; i < 300; ++i) pool.release(stacks[i]);
  }
}

// CTX-04
TEST(StackPool, AddressSpaceLimitIsReportedAfterFullUse) {
#if defined(TRUEASYNC_ASAN) || defined(TRUEASYNC_TSAN)
  GTEST_SKIP() << "sanitizers reserve most of the address space";
#endif
  TRUEASYNC_SKIP_UNDER_VALGRIND("it does not apply RLIMIT_AS to the program alone");
  TRUEASYNC_SKIP_EMULATED("RLIMIT_AS would bind the emulator");
  StackPool pool({.stack_size = 64 * 1024 * 1024});
  std::vector<Stack*> stacks{pool.acquire()};
  ASSERT_NE(stacks[0], nullptr);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = std::size_t{5} << 30;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  stacks.reserve(1000);
  for (Stack* stack; stacks.size() < 1000 && (stack = pool.acquire()) != nullptr;) stacks.push_back(stack);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(pool.failure().limit, "address space");
  EXPECT_NE(pool.failure().message.find("RLIMIT_AS"), std::string::npos) << pool.failure().message;
  // Slabs of 1 GiB: the last slabs are smaller, down to one stack, so that little address space is unused.
  EXPECT_GT(stacks.size(), 64u);
  EXPECT_LT(stacks.size(), 81u);
  for (Stack* stack : stacks) pool.release(stack);
}

// XC-14
TEST(StackPool, HooksAreCalledForEveryStack) {
  struct Seen {
    std::map<void*, void*> alive;
    int created = 0, destroyed = 0;
  } seen;
  StackPoolOptions options;
  options.floor = 0;
  options.hook_user = &seen;
  options.on_stack_created = [](void* limit, void* top, void* user) {
    Seen& self = *static_cast<Seen*>(user);
    ++self.created;
    EXPECT_TRUE(self.alive.emplace(limit, top).second);
  };
  options.on_stack_destroyed = [](void* limit, void* top, void* user) {
    Seen& self = *static_cast<Seen*>(user);
    ++self.destroyed;
    EXPECT_EQ(self.alive[limit], top);
    self.alive.erase(limit);
  };
  {
    StackPool pool(options);
    std::vector<Stack*> stacks;
    for (int i = 0; i < 70; ++i) {
      stacks.push_back(pool.acquire());
      EXPECT_TRUE(seen.alive.count(stacks.back()->limit()));
    }
    EXPECT_EQ(seen.created, 70);
    for (Stack* stack : stacks) pool.release(stack);
    // Unmapping a slab destroys its stacks.
    const TimePoint start{};
    pool.start_window(start);
    for (int i = 1; i < 20; ++i) pool.trim(start + std::chrono::seconds(i));
    EXPECT_EQ(pool.stats().slabs_unmapped, 1u);
    EXPECT_EQ(seen.destroyed, 6);
  }
  EXPECT_EQ(seen.destroyed, 70);
  EXPECT_TRUE(seen.alive.empty());
}

TEST(StackPool, InvalidOptionsAreRejectedWithHint) {
  EXPECT_EQ(StackPool::validate({}), "");
  EXPECT_NE(StackPool::validate({.stack_size = 0}).find("at least"), std::string::npos);
  EXPECT_NE(StackPool::validate({.stack_size = page_size()}).find("at least"), std::string::npos);
  EXPECT_NE(StackPool::validate({.stack_size = 65000}).find("use 65536"), std::string::npos);
  EXPECT_NE(StackPool::validate({.stack_size = SIZE_MAX}), "");
  EXPECT_NE(StackPool::validate({.guard_size = 0}).find("GuardKind::none"), std::string::npos);
  EXPECT_EQ(StackPool::validate({.guard_size = 0, .guard = GuardKind::none}), "");
  EXPECT_NE(StackPool::validate({.guard_size = 60 * 1024}).find("at least"), std::string::npos);
  EXPECT_NE(StackPool::validate({.trim_batch = 0}), "");
  EXPECT_NE(StackPool::validate({.window = std::chrono::milliseconds(0)}), "");
}

#if GTEST_HAS_DEATH_TEST
class StackPoolDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    TRUEASYNC_SKIP_UNDER_VALGRIND("death tests fork the whole tool");
    GTEST_FLAG_SET(death_test_style, runs_emulated() ? "fast" : "threadsafe");
  }
};

TEST_F(StackPoolDeathTest, SecondReleaseAborts) {
  EXPECT_DEATH(
      {
        StackPool pool({});
        Stack* stack = pool.acquire();
        pool.release(stack);
        pool.release(stack);
      },
      "not in use");
}

TEST_F(StackPoolDeathTest, DestructionWithStacksInUseAborts) {
  EXPECT_DEATH({ StackPool({}).acquire(); }, "destroyed while stacks are in use");
}
#endif

[[gnu::noinline]] int use_stack(TestCoroutine* coroutine, int bytes) {
  volatile char frame[1024];
  for (std::size_t i = 0; i < sizeof frame; ++i) frame[i] = 1;
  return bytes > 1024 ? use_stack(coroutine, bytes - 1024) + frame[5] : frame[7];
}

TEST(HighWater, CoversOnlyLastUseOfStack) {
  StackPool pool({.stack_size = 256 * 1024, .measure_use = true});
  std::size_t deep = 0, shallow = 0;
  for (const auto& [bytes, mark] : {std::pair<int, std::size_t*>{100 * 1024, &deep}, {8 * 1024, &shallow}}) {
    TestCoroutine coroutine(pool, [amount = bytes](TestCoroutine& self) { EXPECT_GT(use_stack(&self, amount), 0); });
    EXPECT_LT(StackPool::high_water_mark(coroutine.stack()), 1024u);
    coroutine.resume();
    *mark = StackPool::high_water_mark(coroutine.stack());
  }
  EXPECT_EQ(pool.stats().reused, 1u);
#if defined(TRUEASYNC_ASAN)
  // With ASan, frames may be on a fake stack (use after return), and redzones make them larger.
  EXPECT_GT(deep, shallow);
#else
  EXPECT_GE(deep, 100u * 1024);
  EXPECT_LE(deep, 140u * 1024);
  EXPECT_GE(shallow, 8u * 1024);
  EXPECT_LE(shallow, 24u * 1024);
#endif
}

TEST(HighWater, MeasuringDoesNotMakePagesResident) {
  StackPool pool({});
  Stack* stack = pool.acquire();
  EXPECT_EQ(StackPool::high_water_mark(*stack), 0u);
  EXPECT_EQ(resident_pages(stack->limit(), stack->top()), 0u);
  std::uint8_t* written = stack->limit() + 3 * page_size() + 64;
  *written = 1;
  EXPECT_EQ(StackPool::high_water_mark(*stack), static_cast<std::size_t>(stack->start() - written));
  EXPECT_EQ(resident_pages(stack->limit(), stack->top()), 1u);
  pool.release(stack);
}

}  // namespace
}  // namespace trueasync::detail
