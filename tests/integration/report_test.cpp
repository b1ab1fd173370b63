// What a program says on standard error when it ends badly, and its exit code.
#include "child_process.hpp"
#include "context/valgrind.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

TEST(Report, UnhandledErrorNamesCoroutineAndSpawnPlace) {
  // SHU-01 ST-10
  const auto line = SourceLocation::current().line() + 3;
  const Ended ended = in_child([] {
    return run([] {
      spawn({.name = "fetch"}, [] { throw std::out_of_range("no such page"); });
      delay(24h);
    });
  });
  EXPECT_TRUE(ended.exited_with(1)) << ended;
  EXPECT_TRUE(ended.stderr_contains("trueasync: unhandled std::out_of_range: no such page\n")) << ended;
  EXPECT_TRUE(ended.stderr_contains("in coroutine #2 \"fetch\", spawned at report_test.cpp:" + std::to_string(line)))
      << ended;
}

TEST(Report, ErrorOfMainIsMains) {
  const Ended ended = in_child([] { return run([] { throw std::runtime_error("bad start"); }); });
  EXPECT_TRUE(ended.exited_with(1)) << ended;
  EXPECT_EQ(ended.errors, "trueasync: unhandled std::runtime_error: bad start\n  in main\n");
}

TEST(Report, ErrorThatIsNoStdExceptionIsNamedByType) {
  const Ended ended = in_child([] { return run([] { throw 42; }); });
  EXPECT_TRUE(ended.exited_with(1)) << ended;
  EXPECT_TRUE(ended.stderr_contains("unhandled int")) << ended;
}

TEST(Report, BadOptionsAreReportedNotThrown) {
  const Ended ended = in_child([] { return run(RuntimeOptions{.stack_size = 1}, [] {}); });
  EXPECT_TRUE(ended.exited_with(1)) << ended;
  EXPECT_TRUE(ended.stderr_contains("MisuseError: stack_size 1 is not a multiple of the page size")) << ended;
}

TEST(Report, DeadlockIsPrintedWhole) {
  // DLK-01 DL-03
  const Ended ended = in_child([] {
    return run([] {
      Task<void> a, b;
      a = spawn({.name = "left"}, [&] { await(b); });
      b = spawn({.name = "right"}, [&] { await(a); });
      await(a);
    });
  });
  EXPECT_TRUE(ended.exited_with(1)) << ended;
  EXPECT_TRUE(ended.stderr_contains("DeadlockError: deadlock: every coroutine is suspended")) << ended;
  EXPECT_TRUE(ended.stderr_contains("wait cycle: #2 \"left\" → #3 \"right\" → #2 \"left\"")) << ended;
}

TEST(Report, SecondFailureDoesNotHideTheFirst) {
  // SHU-02
  const Ended ended = in_child([] {
    return run([] {
      spawn([] {
        try {
          delay(24h);
        } catch (const Cancelled&) {
          throw std::domain_error("second");
        }
      });
      spawn({.name = "culprit"}, [] { throw std::length_error("first"); });
      delay(24h);
    });
  });
  EXPECT_TRUE(ended.exited_with(1)) << ended;
  EXPECT_TRUE(ended.stderr_contains("std::length_error: first")) << ended;
  EXPECT_TRUE(ended.stderr_contains("\"culprit\"")) << ended;
  EXPECT_FALSE(ended.stderr_contains("second")) << ended;
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : recurse(depth - 1) + frame[0];
}

TEST(Report, StackOverflowNamesCoroutineAndSpawnPlace) {
  // CTX-03 XC-07
#if defined(TRUEASYNC_TSAN)
  GTEST_SKIP() << "ThreadSanitizer's own runtime overflows its shadow stack first";
#endif
  if (detail::running_on_valgrind()) GTEST_SKIP() << "valgrind takes the fault before our handler";
  const auto line = SourceLocation::current().line() + 3;
  const Ended ended = in_child([] {
    return run([] {
      spawn({.name = "parser"}, [] {
        yield();
        recurse(1 << 30);
      });
      delay(24h);
    });
  });
  EXPECT_TRUE(ended.killed_by(SIGSEGV)) << ended;
  EXPECT_TRUE(ended.stderr_contains("stack overflow in coroutine #2 \"parser\" spawned at ")) << ended;
  EXPECT_TRUE(ended.stderr_contains("report_test.cpp:" + std::to_string(line))) << ended;
  EXPECT_TRUE(ended.stderr_contains("(stack 65536 bytes)")) << ended;
}

}  // namespace
}  // namespace trueasync::test
