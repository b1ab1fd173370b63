// Triggers: the one thing other threads may touch.
#include <atomic>
#include <thread>

#include "event/waker.hpp"
#include "uv_fixture.hpp"

namespace trueasync::test {
namespace {

using detail::TriggerEvent;

TEST_F(UvReactorTest, ATriggerFiredByAnotherThreadEndsABlockingTurn) {
  // REA-02
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  RecordingSubscriber told(*trigger);
  std::thread other([&trigger = *trigger] { trigger.fire(); });
  EXPECT_TRUE(turn_until(reactor_, [&] { return told.times() > 0; }));
  other.join();
  EXPECT_EQ(told.values, Values{1});
}

TEST_F(UvReactorTest, FiresBeforeTheLoopTurnsAreOneNotification) {
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  RecordingSubscriber told(*trigger);
  for (int i = 0; i < 100; ++i) trigger->fire();
  settle();
  EXPECT_EQ(told.values, Values{1});
}

TEST_F(UvReactorTest, WhatWasFiredWhileNobodyWaitedIsKeptForTheNext) {
  // R1 SUS-02
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  trigger->fire();
  settle();
  Notification result;
  EXPECT_TRUE(trigger->replay(result));
  EXPECT_FALSE(trigger->replay(result));
  RecordingSubscriber told(*trigger);
  settle();
  EXPECT_EQ(told.times(), 0u) << "it has been taken";
}

TEST_F(UvReactorTest, AFireWhoseWaiterIsCancelledGoesToTheNext) {
  // R1 CXL-05
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
  settle();
  ASSERT_TRUE(entry.fired);
  EXPECT_TRUE(waker.override_reason(WakeReason::cancelled));
  waker.disarm();
  EXPECT_FALSE(waker.arm(request)) << "the fire is still there";
  EXPECT_TRUE(entry.fired);
  waker.disarm();
  settle();
}

TEST_F(UvReactorTest, AnIdleTriggerKeepsNothingAlive) {
  // EVT-05
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  EXPECT_FALSE(reactor_.has_foreground_work());
  trigger->fire();
  settle();
  EXPECT_FALSE(reactor_.has_foreground_work());
}

TEST_F(UvReactorTest, WakeUpEndsABlockingTurn) {
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

TEST_F(UvReactorTest, TriggerStressLosesNoFire) {
  // Every thread fires only after the loop has answered its last one, so a lost fire would hang it.
  constexpr int kThreads = 4;
  constexpr int kRounds = 500;
  struct Line {
    Ref<TriggerEvent> trigger;
    std::unique_ptr<RecordingSubscriber> told;
    std::atomic<int> answered{0};
  };
  Line lines[kThreads];
  std::atomic<bool> give_up{false};
  for (Line& line : lines) {
    line.trigger = reactor_.new_trigger();
    line.told = std::make_unique<RecordingSubscriber>(*line.trigger, [&line] { line.answered.fetch_add(1); });
  }
  std::vector<std::thread> threads;
  for (Line& line : lines) {
    threads.emplace_back([&line, &give_up, &trigger = *line.trigger] {
      for (int round = 0; round < kRounds; ++round) {
        trigger.fire();
        while (line.answered.load() <= round && !give_up.load()) std::this_thread::yield();
      }
    });
  }
  EXPECT_TRUE(turn_until(reactor_, [&] {
    for (Line& line : lines) {
      if (line.answered.load() < kRounds) return false;
    }
    return true;
  }));
  give_up.store(true);
  for (std::thread& thread : threads) thread.join();
  for (Line& line : lines) EXPECT_EQ(line.answered.load(), kRounds);
}

TEST(UvReactorClose, TriggersMayBeFiredByManyThreadsMeanwhile) {
  // SH-01
  constexpr int kThreads = 3;
  for (int round = 0; round < 50; ++round) {
    auto reactor = std::make_unique<detail::EpollReactor>();
    Ref<TriggerEvent> trigger = reactor->new_trigger();
    std::atomic<int> fires{0};
    std::atomic<bool> enough{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&fires, &enough, &trigger = *trigger] {
        while (!enough.load()) {
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
    enough.store(true);
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_F(UvReactorTest, TriggerStressSharedByManyThreadsCoalesces) {
  constexpr int kThreads = 4;
  constexpr int kFires = 5000;
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  std::atomic<int> done{0};
  RecordingSubscriber told(*trigger);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&done, &trigger = *trigger] {
      for (int n = 0; n < kFires; ++n) trigger.fire();
      done.fetch_add(1);
    });
  }
  EXPECT_TRUE(turn_until(reactor_, [&] { return done.load() == kThreads; }));
  for (std::thread& thread : threads) thread.join();
  settle();
  EXPECT_GE(told.times(), 1u);
  EXPECT_LE(told.times(), static_cast<std::size_t>(kThreads) * kFires);
  Notification result;
  EXPECT_FALSE(trigger->replay(result)) << "nothing is left over";
}

}  // namespace
}  // namespace trueasync::test
