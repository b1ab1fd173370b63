// The hooks of an embedding host (blocking::Host).
#include <sys/wait.h>

#include <csignal>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

class BlockingHost : public Blocking {
 protected:
  void TearDown() override {
    blocking::set_host(nullptr);
    Blocking::TearDown();
  }
};

std::vector<std::string> interruptions;
bool host_allows_suspend = true;
constexpr blocking::Host kHost = {
    .location = [](const char*) noexcept { return SourceLocation("script.php", 7); },
    .may_suspend = []() noexcept { return host_allows_suspend; },
    .on_interrupted =
        [](const blocking::Interruption& interruption) noexcept {
          interruptions.push_back(std::string(interruption.call) + " " + ::strerrorname_np(interruption.error) +
                                  (interruption.cause ? " with a cause" : ""));
        },
};

TEST_F(BlockingHost, HostHooksControlLocationSuspensionAndErrors) {
  interruptions.clear();
  blocking::set_host(&kHost);
  run([&] {
    auto sleeper = spawn([&] { return c_usleep(60'000'000); });
    yield_until_suspended(sleeper.coroutine());
    EXPECT_NE(dump().find("script.php:7"), std::string::npos);
    sleeper.cancel();
    await(sleeper);
    EXPECT_EQ(interruptions, std::vector<std::string>{"usleep ECANCELED"});
    bool has_run = false;
    host_allows_suspend = false;
    auto other = spawn([&] { has_run = true; });
    EXPECT_EQ(c_usleep(1000), 0);
    EXPECT_FALSE(has_run);
    host_allows_suspend = true;
    await(other);
    Scope scope;
    auto timed_sleeper = scope.spawn([&] { return c_usleep(60'000'000); });
    yield_until_suspended(timed_sleeper.coroutine());
    scope.set_timeout(std::chrono::milliseconds(1));
    await(timed_sleeper);
    EXPECT_EQ(interruptions.back(), "usleep ETIMEDOUT with a cause");
  });
}

std::vector<int> abandoned;

TEST_F(BlockingHost, HostIsNotifiedOfAbandonedChildWait) {
  static constexpr blocking::Host kReaper = {
      .on_child_wait_abandoned = [](int process) noexcept { abandoned.push_back(process); }};
  abandoned.clear();
  blocking::set_host(&kReaper);
  run([&] {
    const pid_t process = ::fork();
    if (process == 0) {
      ::pause();
      ::_exit(0);
    }
    auto waiter = spawn([&] { return c_waitpid(process, nullptr, 0); });
    yield_until_suspended(waiter.coroutine());
    waiter.cancel();
    EXPECT_EQ(await(waiter), -1);
    EXPECT_EQ(abandoned, std::vector<int>{process});
    ::kill(process, SIGKILL);
    EXPECT_EQ(c_waitpid(process, nullptr, 0), process);
    EXPECT_EQ(abandoned.size(), 1u);
  });
}

TEST_F(BlockingHost, HandledSignalInterruptsOnlyMainSleep) {
  run([&] {
    auto other = spawn([&] { return c_sleep(3600); });
    yield_until_suspended(other.coroutine());
    spawn([] { blocking::notify_signal_handled(); });
    EXPECT_GT(c_sleep(3600), 3000u);
    spawn([] { blocking::notify_signal_handled(); });
    timespec rest = {};
    const timespec hour = {3600, 0};
    EXPECT_EQ(outcome(c_nanosleep(&hour, &rest)), "-1 EINTR");
    EXPECT_GT(rest.tv_sec, 3000);
    blocking::notify_signal_handled();  // no effect: main does not sleep
    EXPECT_EQ(c_usleep(1), 0);
    EXPECT_FALSE(other.coroutine().is_finished());
    other.cancel();
  });
}

// R2
TEST_F(BlockingHost, CloseWaitsForUsersIfHostRequestsIt) {
  static constexpr blocking::Host kWaitingHost = {.close_waits_for_users = []() noexcept { return true; }};
  run([&] {
    for (const bool waits_for_users : {false, true}) {
      blocking::set_host(waits_for_users ? &kWaitingHost : nullptr);
      SocketPair pipe = SocketPair::pipe();
      bool has_finished = false;
      auto reader = spawn([&] {
        char byte = 0;
        EXPECT_EQ(outcome(c_read(pipe[0], &byte, 1)), "-1 EBADF");
        has_finished = true;
      });
      yield_until_suspended(reader.coroutine());
      pipe.close(0);
      EXPECT_EQ(has_finished, waits_for_users);
      await(reader);
    }
  });
}

}  // namespace
}  // namespace trueasync::test
