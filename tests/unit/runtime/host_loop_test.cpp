// A runtime driven in pieces by a host that has a loop of its own.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <thread>

#include "manual_event.hpp"
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

TEST_P(HostLoop, OneTurnRunsEverybodyWhoIsReadyOnce) {
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

TEST_P(HostLoop, RunUntilIdleStopsWhenEverybodyWaits) {
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

TEST_P(HostLoop, RunUntilWaitsForAnEvent) {
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

TEST_P(HostLoop, RunUntilSomethingThatCantHappenIsADeadlock) {
  // DLK-01
  runtime_->attach();
  auto event = ManualEvent::make();
  EXPECT_THROW(runtime_->run_until(*event), DeadlockError);
  runtime_->detach();
}

TEST_P(HostLoop, DetachRunsTheRestAndThrowsTheFirstError) {
  runtime_->attach();
  int finished = 0;
  spawn([&] {
    delay(1ms);
    ++finished;
  });
  runtime_->detach();
  EXPECT_EQ(finished, 1);
  runtime_->attach();
  spawn([] { throw std::out_of_range("nobody awaits"); });
  EXPECT_THROW(runtime_->detach(), std::out_of_range);
  EXPECT_FALSE(detail::Access::scheduler(*runtime_).is_attached());
}

TEST_P(HostLoop, TurnsDriveAShutdownToItsEnd) {
  // SHU-01
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

TEST_P(HostLoop, DestructorEndsASessionThatWasLeftOpen) {
  // SHU-03
  bool cleaned = false;
  runtime_->attach();
  spawn([&] {
    try {
      delay(24h);
    } catch (const Cancelled&) {
      cleaned = true;
    }
  });
  runtime_->run_once();
  runtime_.reset();
  EXPECT_TRUE(cleaned);
  EXPECT_THROW(yield(), MisuseError) << "the thread has no runtime any more";
  runtime_ = make_runtime(GetParam());
}

TEST_P(HostLoop, NextDeadlineTellsWhenTheNextTurnIsDue) {
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

// The loop a host would write: poll() on its own descriptors and ours, no longer than until our next deadline.
class Host {
 public:
  explicit Host(Runtime& runtime) : runtime_(runtime) {}

  void run(const std::function<bool()>& is_done) {
    while (!is_done()) {
      while (runtime_.run_once()) {
      }
      if (is_done()) return;
      pollfd ours = {runtime_.backend_fd(), POLLIN, 0};
      ::poll(&ours, 1, patience());
      ASSERT_LT(++sleeps, 1000) << "it spins";
    }
  }
  int sleeps = 0;

 private:
  int patience() const {
    const auto next = runtime_.next_deadline();
    if (!next) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now());
    return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
  }
  Runtime& runtime_;
};

TEST(HostLoopOnLibuv, ForeignPollLoopDrivesTimersDescriptorsAndTriggers) {
  // XC-13: it sleeps in the host's poll(), it does not spin.
  Runtime runtime;
  runtime.attach();
  Host host(runtime);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);

  auto timed = spawn([] {
    delay(5ms);
    return 1;
  });
  host.run([&] { return timed.is_finished(); });
  EXPECT_LT(host.sleeps, 20);

  auto reader = spawn([&] { return poll(ends[0], Readiness::readable); });
  while (runtime.run_once()) {
  }
  ASSERT_EQ(reader.coroutine().state(), CoroutineState::suspended);
  ASSERT_EQ(write(ends[1], "x", 1), 1);
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
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace trueasync::test
