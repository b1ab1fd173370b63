// Graceful shutdown of a process by real signals.
#include <csignal>

#include "child_process.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

const RuntimeOptions kGraceful = {.shutdown_signals = {SIGINT, SIGTERM}};

class SignalShutdown : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
#if defined(TRUEASYNC_TSAN)
    GTEST_SKIP() << "ThreadSanitizer delays a signal until the fiber that received it makes an intercepted call";
#endif
  }
};
INSTANTIATE_TEST_SUITE_P(Signals, SignalShutdown, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& test) { return test.param == SIGINT ? "Interrupt" : "Terminate"; });

// SHU-01
TEST_P(SignalShutdown, CleansUpAndExitsWithZero) {
  Child child([](int report) {
    return run(kGraceful, [report] {
      spawn([] {
        try {
          delay(24h);
        } catch (const Cancelled&) {
          delay(1ms);
          std::fputs("cleaned up\n", stderr);
          throw;
        }
      });
      yield();
      signal_parent(report);
      delay(24h);
      std::fputs("main was not cancelled\n", stderr);
    });
  });
  ASSERT_TRUE(child.wait_for_report());
  child.send(GetParam());
  const ChildResult result = child.wait();
  EXPECT_TRUE(result.exited_with(0)) << result;
  EXPECT_EQ(result.errors, "cleaned up\n");
}

// SHU-01 SCH-06: the reactor is polled although the ready queue is never empty. A coroutine that is just being
// suspended is cancelled too.
TEST_P(SignalShutdown, EndsProgramWithBusyReadyQueue) {
  Child child([](int report) {
    return run(kGraceful, [report] {
      spawn([] {
        for (;;) yield();
      });
      signal_parent(report);
      for (;;) yield();
    });
  });
  ASSERT_TRUE(child.wait_for_report());
  child.send(GetParam());
  const ChildResult result = child.wait();
  EXPECT_TRUE(result.exited_with(0)) << result;
}

// SHU-02
TEST_P(SignalShutdown, SecondSignalForcesShutdown) {
  Child child([](int report) {
    return run(kGraceful, [report] {
      try {
        signal_parent(report);
        delay(24h);
      } catch (const Cancelled&) {
        signal_parent(report);
        delay(24h);  // the second signal must interrupt this cleanup
        std::fputs("not forced\n", stderr);
        throw;
      }
    });
  });
  ASSERT_TRUE(child.wait_for_report());
  child.send(GetParam());
  ASSERT_TRUE(child.wait_for_report());
  child.send(GetParam());
  const ChildResult result = child.wait();
  EXPECT_TRUE(result.exited_with(0)) << result;
  EXPECT_EQ(result.errors, "");
}

// SHU-01: graceful shutdown is opt-in.
TEST_P(SignalShutdown, DefaultActionAppliesWithoutOption) {
  Child child([](int report) {
    return run([report] {
      signal_parent(report);
      delay(24h);
    });
  });
  ASSERT_TRUE(child.wait_for_report());
  child.send(GetParam());
  const ChildResult result = child.wait();
  EXPECT_TRUE(result.killed_by(GetParam())) << result;
}

// SHU-01 EVT-05 DL-02
TEST(SignalWatch, DoesNotKeepProgramAlive) {
  const ChildResult result = in_child([] { return run(kGraceful, [] { spawn([] { delay(1ms); }); }); });
  EXPECT_TRUE(result.exited_with(0)) << result;
}

TEST(SignalWatch, DefaultActionIsRestoredAfterRun) {
  struct sigaction before = {}, after = {};
  sigaction(SIGTERM, nullptr, &before);
  {
    Runtime runtime(kGraceful);
    runtime.run([] { yield(); });
    EXPECT_TRUE(runtime.leak_report().empty());
  }
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

// SHU-01
TEST(SignalWatch, ProcessCanSignalItself) {
  Runtime runtime(kGraceful);
  bool cleaned = false;
  runtime.run([&] {
    spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        cleaned = true;
      }
    });
    yield();
    kill(getpid(), SIGTERM);
  });
  EXPECT_TRUE(cleaned);
  EXPECT_TRUE(runtime.leak_report().empty());
}

TEST(SignalWatch, SignalThatCannotBeWatchedThrows) {
  Runtime runtime({.shutdown_signals = {SIGTERM, SIGKILL}});
  EXPECT_THROW(runtime.run([] {}), Error);
  EXPECT_TRUE(runtime.leak_report().empty()) << "a failed start must not leak";
  EXPECT_THROW(yield(), MisuseError) << "the thread must have no runtime";
}

}  // namespace
}  // namespace trueasync::test
