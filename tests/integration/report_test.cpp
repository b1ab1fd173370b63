// The report on standard error and the exit code of a program that fails.
#include "child_process.hpp"
#include "context/valgrind.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// SHU-01 ST-10
TEST(Report, UnhandledErrorNamesCoroutineAndSpawnLocation) {
  const auto line = SourceLocation::current().line() + 3;
  const ChildResult result = in_child([] {
    return run([] {
      spawn({.name = "fetch"}, [] { throw std::out_of_range("no such page"); });
      delay(24h);
    });
  });
  EXPECT_TRUE(result.exited_with(1)) << result;
  EXPECT_TRUE(result.stderr_contains("trueasync: unhandled std::out_of_range: no such page\n")) << result;
  EXPECT_TRUE(result.stderr_contains("in coroutine #2 \"fetch\", spawned at report_test.cpp:" + std::to_string(line)))
      << result;
}

TEST(Report, ErrorOfMainNamesMain) {
  const ChildResult result = in_child([] { return run([] { throw std::runtime_error("bad start"); }); });
  EXPECT_TRUE(result.exited_with(1)) << result;
  EXPECT_EQ(result.errors, "trueasync: unhandled std::runtime_error: bad start\n  in main\n");
}

TEST(Report, ErrorOtherThanStdExceptionIsNamedByType) {
  const ChildResult result = in_child([] { return run([] { throw 42; }); });
  EXPECT_TRUE(result.exited_with(1)) << result;
  EXPECT_TRUE(result.stderr_contains("unhandled int")) << result;
}

TEST(Report, InvalidOptionsAreReportedNotThrown) {
  const ChildResult result = in_child([] { return run(RuntimeOptions{.stack_size = 1}, [] {}); });
  EXPECT_TRUE(result.exited_with(1)) << result;
  EXPECT_TRUE(result.stderr_contains("MisuseError: stack_size 1 is not a multiple of the page size")) << result;
}

// DLK-01 DL-03
TEST(Report, DeadlockReportIsPrintedWithWaitCycle) {
  const ChildResult result = in_child([] {
    return run([] {
      Task<void> a, b;
      a = spawn({.name = "left"}, [&] { await(b); });
      b = spawn({.name = "right"}, [&] { await(a); });
      await(a);
    });
  });
  EXPECT_TRUE(result.exited_with(1)) << result;
  EXPECT_TRUE(result.stderr_contains("DeadlockError: deadlock: every coroutine is suspended")) << result;
  EXPECT_TRUE(result.stderr_contains("wait cycle: #2 \"left\" → #3 \"right\" → #2 \"left\"")) << result;
}

// SHU-02
TEST(Report, FirstOfTwoErrorsIsReported) {
  const ChildResult result = in_child([] {
    return run([] {
      spawn([] {
        try {
          delay(24h);
        } catch (const Cancelled&) {
          throw std::domain_error("second");
        }
      });
      spawn({.name = "origin"}, [] { throw std::length_error("first"); });
      delay(24h);
    });
  });
  EXPECT_TRUE(result.exited_with(1)) << result;
  EXPECT_TRUE(result.stderr_contains("std::length_error: first")) << result;
  EXPECT_TRUE(result.stderr_contains("\"origin\"")) << result;
  EXPECT_FALSE(result.stderr_contains("second")) << result;
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : recurse(depth - 1) + frame[0];
}

// CTX-03 XC-07
TEST(Report, StackOverflowNamesCoroutineAndSpawnLocation) {
#if defined(TRUEASYNC_TSAN)
  GTEST_SKIP() << "the shadow stack of ThreadSanitizer overflows first";
#endif
  if (detail::running_on_valgrind()) GTEST_SKIP() << "valgrind handles the fault before the library";
  const auto line = SourceLocation::current().line() + 3;
  const ChildResult result = in_child([] {
    return run([] {
      spawn({.name = "parser"}, [] {
        yield();
        recurse(1 << 30);
      });
      delay(24h);
    });
  });
  EXPECT_TRUE(result.killed_by(SIGSEGV)) << result;
  EXPECT_TRUE(result.stderr_contains("stack overflow in coroutine #2 \"parser\" spawned at ")) << result;
  EXPECT_TRUE(result.stderr_contains("report_test.cpp:" + std::to_string(line))) << result;
  EXPECT_TRUE(result.stderr_contains("(stack 65536 bytes)")) << result;
}

}  // namespace
}  // namespace trueasync::test
