// Trigger events, which other threads may fire.
#include <atomic>
#include <thread>

#include "epoll_reactor_fixture.hpp"
#include "event/waker.hpp"

namespace trueasync::test {
namespace {

using detail::TriggerEvent;
using TriggerEventTest = EpollReactorTest;

// REA-02
TEST_F(TriggerEventTest, FireFromAnotherThreadEndsBlockingPoll) {
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  RecordingSubscriber subscriber(*trigger);
  std::thread other([&trigger = *trigger] { trigger.fire(); });
  EXPECT_TRUE(run_until(reactor_, [&] { return subscriber.times() > 0; }));
  other.join();
  EXPECT_EQ(subscriber.values, Values{1});
}

TEST_F(TriggerEventTest, FiresBeforePollCoalesce) {
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  RecordingSubscriber subscriber(*trigger);
  for (int i = 0; i < 100; ++i) trigger->fire();
  run_ready_events();
  EXPECT_EQ(subscriber.values, Values{1});
}

// R1 SUS-02
TEST_F(TriggerEventTest, FireWithoutWaiterIsKeptForNextWait) {
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  trigger->fire();
  run_ready_events();
  Notification result;
  EXPECT_TRUE(trigger->replay(result));
  EXPECT_FALSE(trigger->replay(result));
  RecordingSubscriber subscriber(*trigger);
  run_ready_events();
  EXPECT_EQ(subscriber.times(), 0u) << "replay() has consumed the fire";
}

// R1 CXL-05
TEST_F(TriggerEventTest, FireOfCancelledWaiterGoesToNextWait) {
  struct Target final : detail::WakeTarget {
    void enqueue(detail::Waker&) noexcept override {}
  } target;
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  detail::Waker waker;
  waker.set_target(&target);
  WaitEntry entry(*trigger);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  ASSERT_TRUE(waker.arm(request));
  trigger->fire();
  run_ready_events();
  ASSERT_TRUE(entry.fired);
  EXPECT_TRUE(waker.override_reason(WakeReason::cancelled));
  waker.disarm();
  EXPECT_FALSE(waker.arm(request)) << "the fire is pending again";
  EXPECT_TRUE(entry.fired);
  waker.disarm();
  run_ready_events();
}

// EVT-05
TEST_F(TriggerEventTest, IdleTriggerIsNotForegroundWork) {
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  EXPECT_FALSE(reactor_.has_foreground_work());
  trigger->fire();
  run_ready_events();
  EXPECT_FALSE(reactor_.has_foreground_work());
}

TEST_F(TriggerEventTest, WakeUpEndsBlockingPoll) {
  std::atomic<bool> returned{false};
  std::thread other([&] {
    while (!returned.load()) {
      reactor_.wake_up();
      std::this_thread::sleep_for(1ms);
    }
  });
  reactor_.run_once(false);
  returned.store(true);
  other.join();
  EXPECT_EQ(reactor_.counters().polls_blocking, 1u);
}

TEST_F(TriggerEventTest, StressLosesNoFire) {
  // Each thread fires again only after the loop has acknowledged its last fire, so a lost fire would block the thread.
  constexpr int kThreads = 4;
  constexpr int kRounds = 500;
  struct FiringThread {
    Ref<TriggerEvent> trigger;
    std::unique_ptr<RecordingSubscriber> subscriber;
    std::atomic<int> acknowledged{0};
  };
  FiringThread firing_threads[kThreads];
  std::atomic<bool> stop{false};
  for (FiringThread& firing : firing_threads) {
    firing.trigger = reactor_.new_trigger();
    firing.subscriber =
        std::make_unique<RecordingSubscriber>(*firing.trigger, [&firing] { firing.acknowledged.fetch_add(1); });
  }
  std::vector<std::thread> threads;
  for (FiringThread& firing : firing_threads) {
    threads.emplace_back([&firing, &stop, &trigger = *firing.trigger] {
      for (int round = 0; round < kRounds; ++round) {
        trigger.fire();
        while (firing.acknowledged.load() <= round && !stop.load()) std::this_thread::yield();
      }
    });
  }
  EXPECT_TRUE(run_until(reactor_, [&] {
    for (FiringThread& firing : firing_threads) {
      if (firing.acknowledged.load() < kRounds) return false;
    }
    return true;
  }));
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
  for (FiringThread& firing : firing_threads) EXPECT_EQ(firing.acknowledged.load(), kRounds);
}

// SH-01
TEST(EpollReactorClose, TriggerMayBeFiredDuringClose) {
  constexpr int kThreads = 3;
  for (int round = 0; round < 50; ++round) {
    auto reactor = std::make_unique<detail::EpollReactor>();
    Ref<TriggerEvent> trigger = reactor->new_trigger();
    std::atomic<int> fires{0};
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&fires, &stop, &trigger = *trigger] {
        while (!stop.load()) {
          trigger.fire();
          fires.fetch_add(1);
        }
      });
    }
    while (fires.load() < kThreads) reactor->run_once(true);
    EXPECT_EQ(reactor->close(), std::vector<std::string>{"trigger"});
    reactor = nullptr;
    const int seen = fires.load();
    while (fires.load() <= seen + kThreads) std::this_thread::yield();
    stop.store(true);
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_F(TriggerEventTest, StressFiresOfManyThreadsCoalesce) {
  constexpr int kThreads = 4;
  constexpr int kFires = 5000;
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  std::atomic<int> done{0};
  RecordingSubscriber subscriber(*trigger);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&done, &trigger = *trigger] {
      for (int n = 0; n < kFires; ++n) trigger.fire();
      done.fetch_add(1);
    });
  }
  EXPECT_TRUE(run_until(reactor_, [&] { return done.load() == kThreads; }));
  for (std::thread& thread : threads) thread.join();
  run_ready_events();
  EXPECT_GE(subscriber.times(), 1u);
  EXPECT_LE(subscriber.times(), static_cast<std::size_t>(kThreads) * kFires);
  Notification result;
  EXPECT_FALSE(trigger->replay(result)) << "no fire is pending";
}

}  // namespace
}  // namespace trueasync::test
