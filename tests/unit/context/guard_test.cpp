// Guard pages: they fault, they are counted, and an exhausted limit is reported.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "context/stack_pool.hpp"
#include "environment.hpp"

namespace trueasync::detail {
namespace {

// Lets the kernel read the address, so that a guard causes EFAULT instead of a signal.
bool is_readable(const void* place) {
  int pipes[2];
  EXPECT_EQ(pipe(pipes), 0);
  const long written = syscall(SYS_write, pipes[1], place, 1);
  const int error = errno;
  close(pipes[0]);
  close(pipes[1]);
  EXPECT_TRUE(written == 1 || error == EFAULT) << std::strerror(error);
  return written == 1;
}

void expect_guarded(const StackPoolOptions& options) {
  ASSERT_EQ(StackPool::validate(options), "");
  StackPool pool(options);
  EXPECT_EQ(pool.guard(), resolve_guard(options.guard));
  std::vector<Stack*> stacks;
  for (int i = 0; i < 200; ++i) {
    Stack* stack = pool.acquire();
    ASSERT_NE(stack, nullptr) << pool.failure().message;
    stacks.push_back(stack);
    EXPECT_FALSE(is_readable(stack->base()));
    EXPECT_FALSE(is_readable(stack->limit() - 1));
    EXPECT_TRUE(is_readable(stack->limit()));
    EXPECT_TRUE(is_readable(stack->top() - 1));
  }
  for (Stack* stack : stacks) pool.release(stack);
}

// CTX-03 XC-07
TEST(Guard, AutomaticGuardsEveryStack) { expect_guarded({.guard = GuardKind::automatic}); }

// CTX-03 XC-07
TEST(Guard, MadviseGuardsEveryStack) {
  if (!has_madvise_guards()) GTEST_SKIP() << "this kernel has no MADV_GUARD_INSTALL";
  expect_guarded({.guard = GuardKind::madvise});
}

// CTX-03 XC-07
TEST(Guard, MprotectGuardsEveryStack) { expect_guarded({.guard = GuardKind::mprotect}); }

TEST(Guard, GuardSizeIsRoundedToPages) {
  expect_guarded({.guard_size = 5000});
  StackPool pool({.guard_size = 5000});
  Stack* stack = pool.acquire();
  EXPECT_EQ(static_cast<std::size_t>(stack->limit() - stack->base()) % page_size(), 0u);
  EXPECT_GE(stack->limit() - stack->base(), 5000);
  pool.release(stack);
}

// CTX-03: MADV_DONTNEED must not remove the guard.
TEST(Guard, GuardSurvivesMadviseDontneed) {
  StackPool pool({.floor = 0});
  Stack* stack = pool.acquire();
  pool.release(stack);
  const TimePoint start{};
  pool.start_window(start);
  for (int i = 1; i < 10; ++i) pool.trim(start + std::chrono::seconds(i));
  ASSERT_TRUE(stack->cold);
  EXPECT_FALSE(is_readable(stack->base()));
  EXPECT_TRUE(is_readable(stack->limit()));
}

// CTX-03
TEST(Guard, NoGuardOnlyOnRequest) {
  EXPECT_NE(resolve_guard(GuardKind::automatic), GuardKind::none);
  StackPool pool({.guard = GuardKind::none});
  Stack* stack = pool.acquire();
  EXPECT_EQ(stack->base(), stack->limit());
  EXPECT_TRUE(is_readable(stack->base()));
  pool.release(stack);
}

// XC-08 CTX-04
TEST(Guard, MprotectLimitIsReportedWithoutLeak) {
  TRUEASYNC_SKIP_UNDER_VALGRIND("its own table of mappings is smaller than vm.max_map_count");
  if (max_map_count() > 262144) GTEST_SKIP() << "vm.max_map_count is too large to be used up in a test";
  StackPool pool({.stack_size = 8 * page_size(), .guard = GuardKind::mprotect});
  std::vector<Stack*> stacks;
  Stack* stack;
  while ((stack = pool.acquire()) != nullptr) {
    stacks.push_back(stack);
    ASSERT_LE(stacks.size(), max_map_count() / 2);
  }
  EXPECT_EQ(pool.failure().limit, "vm.max_map_count");
  EXPECT_NE(pool.failure().message.find("sysctl -w vm.max_map_count="), std::string::npos) << pool.failure().message;
  EXPECT_NE(pool.failure().message.find(std::to_string(stacks.size())), std::string::npos) << pool.failure().message;
  // The rest of the program can still map, another pool reaches the same limit, and a released stack can be reused.
  void* other = mmap(nullptr, page_size(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(other, MAP_FAILED);
  munmap(other, page_size());
  StackPool second({.guard = GuardKind::mprotect});
  EXPECT_EQ(second.acquire(), nullptr);
  EXPECT_EQ(second.failure().limit, "vm.max_map_count");
  pool.release(stacks.back());
  EXPECT_EQ(pool.acquire(), stacks.back());
  for (Stack* used : stacks) pool.release(used);
}

// XC-08: after the previous test the whole quota is free again.
TEST(Guard, PoolDestructionReleasesMprotectQuota) {
  TRUEASYNC_SKIP_UNDER_VALGRIND("the test before it does not run there");
  StackPool pool({.guard = GuardKind::mprotect});
  Stack* stack = pool.acquire();
  ASSERT_NE(stack, nullptr) << pool.failure().message;
  pool.release(stack);
}

// XC-08 CTX-03: more guards than mprotect allows, each of them effective.
TEST(Guard, MadviseGuardsDoNotSplitMappings) {
  TRUEASYNC_SKIP_UNDER_VALGRIND("every stack would be registered there, which takes minutes");
  if (!has_madvise_guards()) GTEST_SKIP() << "this kernel has no MADV_GUARD_INSTALL";
  const std::size_t count = max_map_count() / 2 + 1000;
  if (count > 100000) GTEST_SKIP() << "vm.max_map_count is too large to be passed in a test";
  StackPool pool({.stack_size = 32 * 1024});
  std::vector<Stack*> stacks;
  for (std::size_t i = 0; i < count; ++i) {
    stacks.push_back(pool.acquire());
    ASSERT_NE(stacks.back(), nullptr) << pool.failure().message;
  }
  for (std::size_t i = 0; i < count; i += 997) EXPECT_FALSE(is_readable(stacks[i]->base()));
  EXPECT_FALSE(is_readable(stacks.back()->base()));
  EXPECT_LT(pool.stats().slabs_mapped, 20u);
  for (Stack* used : stacks) pool.release(used);
}

}  // namespace
}  // namespace trueasync::detail
