// Real signals end a real process gracefully.
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
    GTEST_SKIP() << "ThreadSanitizer keeps a signal for the fiber it came to, until that one calls into the kernel";
#endif
  }
};
INSTANTIATE_TEST_SUITE_P(Signals, SignalShutdown, ::testing::Values(SIGINT, SIGTERM),
                         [](const auto& test) { return test.param == SIGINT ? "Interrupt" : "Terminate"; });

TEST_P(SignalShutdown, CleansUpAndExitsWithZero) {
  // SHU-01
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
  const Ended ended = child.wait();
  EXPECT_TRUE(ended.exited_with(0)) << ended;
  EXPECT_EQ(ended.errors, "cleaned up\n");
}

TEST_P(SignalShutdown, ReachesAProgramThatIsBusy) {
  // SHU-01 SCH-06: the reactor is looked at although the queue is never empty; the one that was on its way into its
  // wait at that moment is cancelled as well.
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
  const Ended ended = child.wait();
  EXPECT_TRUE(ended.exited_with(0)) << ended;
}

TEST_P(SignalShutdown, SecondSignalForcesTheEnd) {
  // SHU-02
  Child child([](int report) {
    return run(kGraceful, [report] {
      try {
        signal_parent(report);
        delay(24h);
      } catch (const Cancelled&) {
        signal_parent(report);
        delay(24h);  // cleanup that would take a day
        std::fputs("not forced\n", stderr);
        throw;
      }
    });
  });
  ASSERT_TRUE(child.wait_for_report());
  child.send(GetParam());
  ASSERT_TRUE(child.wait_for_report());
  child.send(GetParam());
  const Ended ended = child.wait();
  EXPECT_TRUE(ended.exited_with(0)) << ended;
  EXPECT_EQ(ended.errors, "");
}

TEST_P(SignalShutdown, WithoutTheOptionTheDefaultActionStays) {
  // SHU-01: an opt-in.
  Child child([](int report) {
    return run([report] {
      signal_parent(report);
      delay(24h);
    });
  });
  ASSERT_TRUE(child.wait_for_report());
  child.send(GetParam());
  const Ended ended = child.wait();
  EXPECT_TRUE(ended.killed_by(GetParam())) << ended;
}

TEST(SignalWatch, KeepsNoProgramAlive) {
  // SHU-01 EVT-05 DL-02
  const Ended ended = in_child([] { return run(kGraceful, [] { spawn([] { delay(1ms); }); }); });
  EXPECT_TRUE(ended.exited_with(0)) << ended;
}

TEST(SignalWatch, DefaultActionIsBackAfterTheRun) {
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

TEST(SignalWatch, OwnProcessCanSignalItself) {
  // SHU-01
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

TEST(SignalWatch, SignalThatCantBeWatchedIsAnError) {
  Runtime runtime({.shutdown_signals = {SIGTERM, SIGKILL}});
  EXPECT_THROW(runtime.run([] {}), Error);
  EXPECT_TRUE(runtime.leak_report().empty()) << "nothing is left started";
  EXPECT_THROW(yield(), MisuseError) << "the thread is free again";
}

}  // namespace
}  // namespace trueasync::test
