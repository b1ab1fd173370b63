// A runtime driven by the event loop of a host.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <thread>

#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class HostLoop : public ReactorTest {
 protected:
  void SetUp() override { runtime_ = make_runtime(GetParam()); }
  void TearDown() override { expect_no_leaks(*runtime_); }
  std::unique_ptr<Runtime> runtime_;
};
TRUEASYNC_TEST_ON_ALL_REACTORS(HostLoop);

TEST_P(HostLoop, RunOnceRunsEveryReadyCoroutineOnce) {
  runtime_->attach();
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) {
    spawn([&, i] {
      order.push_back(i);
      yield();
      order.push_back(10 + i);
    });
  }
  EXPECT_TRUE(order.empty());
  EXPECT_TRUE(runtime_->run_once());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
  EXPECT_FALSE(runtime_->run_once());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 10, 11, 12}));
  runtime_->detach();
}

TEST_P(HostLoop, RunUntilIdleReturnsWhenAllCoroutinesWait) {
  runtime_->attach();
  auto event = ManualEvent::make();
  int steps = 0;
  auto task = spawn([&] {
    for (; steps < 5; ++steps) yield();
    wait_for(*event);
    ++steps;
  });
  runtime_->run_until_idle();
  EXPECT_EQ(steps, 5);
  EXPECT_EQ(task.coroutine().state(), CoroutineState::suspended);
  event->fire();
  runtime_->run_until_idle();
  EXPECT_EQ(steps, 6);
  EXPECT_TRUE(task.is_finished());
  runtime_->detach();
}

TEST_P(HostLoop, RunUntilWaitsForEvent) {
  runtime_->attach();
  auto event = ManualEvent::make();
  spawn([event] {
    delay(2ms);
    event->fire();
  });
  runtime_->run_until(*event);
  auto task = spawn([] { return 4; });
  runtime_->run_until(task.event());
  EXPECT_EQ(await(task), 4);
  runtime_->detach();
}

// DLK-01
TEST_P(HostLoop, RunUntilEventThatCannotFireIsDeadlock) {
  runtime_->attach();
  auto event = ManualEvent::make();
  EXPECT_THROW(runtime_->run_until(*event), DeadlockError);
  runtime_->detach();
}

TEST_P(HostLoop, DetachRunsRemainingCoroutinesAndThrowsFirstError) {
  runtime_->attach();
  int finished = 0;
  spawn([&] {
    delay(1ms);
    ++finished;
  });
  runtime_->detach();
  EXPECT_EQ(finished, 1);
  runtime_->attach();
  spawn([] { throw std::out_of_range("unobserved"); });
  EXPECT_THROW(runtime_->detach(), std::out_of_range);
  EXPECT_FALSE(detail::Access::scheduler(*runtime_).is_attached());
}

// SHU-01
TEST_P(HostLoop, RunOnceCompletesShutdown) {
  runtime_->attach();
  std::vector<std::string> steps;
  auto task = spawn([&] {
    try {
      delay(24h);
    } catch (const Cancelled&) {
      yield();
      steps.push_back("cleaned up");
      throw;
    }
  });
  runtime_->run_once();
  runtime_->shut_down();
  for (int i = 0; i < 5; ++i) runtime_->run_once();
  EXPECT_EQ(steps, std::vector<std::string>{"cleaned up"});
  EXPECT_TRUE(task.is_cancelled());
  runtime_->detach();
}

// SHU-03
TEST_P(HostLoop, DestructorDetaches) {
  bool cleaned_up = false;
  runtime_->attach();
  spawn([&] {
    try {
      delay(24h);
    } catch (const Cancelled&) {
      cleaned_up = true;
    }
  });
  runtime_->run_once();
  runtime_.reset();
  EXPECT_TRUE(cleaned_up);
  EXPECT_THROW(yield(), MisuseError) << "the thread has no runtime";
  runtime_ = make_runtime(GetParam());
}

TEST_P(HostLoop, NextDeadlineIsEarliestTimer) {
  runtime_->attach();
  EXPECT_FALSE(runtime_->next_deadline().has_value());
  auto far = spawn([] { delay(24h); });
  runtime_->run_once();
  const auto first = runtime_->next_deadline();
  ASSERT_TRUE(first.has_value());
  auto near = spawn([] { delay(1h); });
  runtime_->run_once();
  EXPECT_LT(*runtime_->next_deadline(), *first);
  near.cancel();
  runtime_->run_once();
  EXPECT_EQ(runtime_->next_deadline(), first);
  far.cancel();
  runtime_->detach();
}

// A typical host loop: it calls poll() with the backend descriptor of the runtime until the next deadline.
class HostEventLoop {
 public:
  explicit HostEventLoop(Runtime& runtime) : runtime_(runtime) {}

  void run(const std::function<bool()>& is_done) {
    while (!is_done()) {
      while (runtime_.run_once()) {
      }
      if (is_done()) return;
      pollfd backend = {runtime_.backend_fd(), POLLIN, 0};
      ::poll(&backend, 1, poll_timeout());
      ASSERT_LT(++polls, 1000) << "the loop polls without blocking";
    }
  }
  int polls = 0;

 private:
  int poll_timeout() const {
    const auto next = runtime_.next_deadline();
    if (!next) return -1;
    const auto remaining = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now());
    return static_cast<int>(std::max<std::int64_t>(remaining.count(), 0));
  }
  Runtime& runtime_;
};

// XC-13
TEST(HostLoopNative, HostPollLoopDrivesTimersDescriptorsAndTriggers) {
  Runtime runtime;
  runtime.attach();
  HostEventLoop host(runtime);
  int pipe_fds[2];
  ASSERT_EQ(pipe(pipe_fds), 0);

  auto timed = spawn([] {
    delay(5ms);
    return 1;
  });
  host.run([&] { return timed.is_finished(); });
  EXPECT_LT(host.polls, 20);  // the host blocks in poll() and does not busy-wait

  auto reader = spawn([&] { return poll(pipe_fds[0], Readiness::readable); });
  while (runtime.run_once()) {
  }
  ASSERT_EQ(reader.coroutine().state(), CoroutineState::suspended);
  ASSERT_EQ(write(pipe_fds[1], "x", 1), 1);
  host.run([&] { return reader.is_finished(); });
  EXPECT_EQ(await(reader), Readiness::readable);

  Trigger trigger;
  auto triggered = spawn([&] { trigger.wait(); });
  while (runtime.run_once()) {
  }
  std::thread other([&] { trigger.fire(); });
  host.run([&] { return triggered.is_finished(); });
  other.join();

  runtime.detach();
  expect_no_leaks(runtime);
  close(pipe_fds[0]);
  close(pipe_fds[1]);
}

}  // namespace
}  // namespace trueasync::test
