// What a host of another language is asked and told.
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

// What a host is told and says.
std::vector<std::string> told;
bool host_allows = true;
constexpr blocking::Host kHost = {
    .location = [](const char*) noexcept { return SourceLocation("script.php", 7); },
    .may_suspend = []() noexcept { return host_allows; },
    .on_interrupted =
        [](const blocking::Interruption& interruption) noexcept {
          told.push_back(std::string(interruption.call) + " " + ::strerrorname_np(interruption.error) +
                         (interruption.cause ? " with a cause" : ""));
        },
};

TEST_F(BlockingHost, AHostSaysWhereAndWhetherAndLearnsWhy) {
  told.clear();
  blocking::set_host(&kHost);
  run([&] {
    auto sleeper = spawn([&] { return c_usleep(60'000'000); });
    yield_until_suspended(sleeper.coroutine());
    EXPECT_NE(dump().find("script.php:7"), std::string::npos);
    sleeper.cancel();
    await(sleeper);
    EXPECT_EQ(told, std::vector<std::string>{"usleep ECANCELED"});
    bool has_run = false;
    host_allows = false;
    auto other = spawn([&] { has_run = true; });
    EXPECT_EQ(c_usleep(1000), 0);
    EXPECT_FALSE(has_run);
    host_allows = true;
    await(other);
    Scope scope;
    auto late = scope.spawn([&] { return c_usleep(60'000'000); });
    yield_until_suspended(late.coroutine());
    scope.set_timeout(std::chrono::milliseconds(1));
    await(late);
    EXPECT_EQ(told.back(), "usleep ETIMEDOUT with a cause");
  });
}

std::vector<int> left;

TEST_F(BlockingHost, AHostLearnsOfAChildThatNobodyWaitsForAnyMore) {
  static constexpr blocking::Host kReaper = {
      .on_child_wait_abandoned = [](int process) noexcept { left.push_back(process); }};
  left.clear();
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
    EXPECT_EQ(left, std::vector<int>{process});
    ::kill(process, SIGKILL);
    EXPECT_EQ(c_waitpid(process, nullptr, 0), process);
    EXPECT_EQ(left.size(), 1u);
  });
}

TEST_F(BlockingHost, AHandledSignalEndsMainsSleepAndNoOther) {
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
    blocking::notify_signal_handled();  // nobody sleeps
    EXPECT_EQ(c_usleep(1), 0);
    EXPECT_FALSE(other.coroutine().is_finished());
    other.cancel();
  });
}

TEST_F(BlockingHost, WhoeverWaitsForADescriptorHasLeftBeforeItIsClosedIfTheHostWantsItSo) {
  // R2
  static constexpr blocking::Host kLast = {.close_waits_for_users = []() noexcept { return true; }};
  run([&] {
    for (const bool leave_first : {false, true}) {
      blocking::set_host(leave_first ? &kLast : nullptr);
      SocketPair ends = SocketPair::pipe();
      bool has_left = false;
      auto reader = spawn([&] {
        char byte = 0;
        EXPECT_EQ(outcome(c_read(ends[0], &byte, 1)), "-1 EBADF");
        has_left = true;
      });
      yield_until_suspended(reader.coroutine());
      ends.close(0);
      EXPECT_EQ(has_left, leave_first);
      await(reader);
    }
  });
}

}  // namespace
}  // namespace trueasync::test
