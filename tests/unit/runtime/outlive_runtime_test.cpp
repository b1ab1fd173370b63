// Timers and triggers that outlive their runtime: a wait throws MisuseError, and a fire has no effect.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <type_traits>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class OutliveRuntime : public ReactorTest {
 protected:
  // Runs `function` in a runtime that is destroyed on return.
  template <class F>
  void run_and_destroy(F&& function) {
    make_runtime(GetParam())->run(std::forward<F>(function));
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(OutliveRuntime);

// SH-01
TEST_P(OutliveRuntime, TimeoutOfDestroyedRuntimeThrowsMisuseError) {
  std::optional<Timeout> timeout;
  run_and_destroy([&] { timeout.emplace(50ms); });
  run([&] {
    auto task = spawn([] { delay(1ms); });
    EXPECT_THROW(await(task, *timeout), MisuseError);
  });
}

// SH-01
TEST_P(OutliveRuntime, IntervalOfDestroyedRuntimeThrowsMisuseError) {
  std::optional<Interval> ticks;
  run_and_destroy([&] {
    ticks.emplace(1ms);
    EXPECT_GE(ticks->wait(), 1u);
  });
  run([&] { EXPECT_THROW(ticks->wait(), MisuseError); });
}

// SH-01
TEST_P(OutliveRuntime, TriggerOfDestroyedRuntimeThrowsMisuseError) {
  std::optional<Trigger> trigger;
  run_and_destroy([&] { trigger.emplace(); });
  run([&] { EXPECT_THROW(trigger->wait(), MisuseError); });
}

// SH-01
TEST_P(OutliveRuntime, TriggerMayBeFiredWhileRuntimeIsDestroyed) {
  for (int round = 0; round < 50; ++round) {
    std::optional<Trigger> trigger;
    std::atomic<int> fires{0};
    std::atomic<bool> stop{false};
    std::thread other;
    run_and_destroy([&] {
      trigger.emplace();
      other = std::thread([&] {
        while (!stop.load()) {
          trigger->fire();
          fires.fetch_add(1);
        }
      });
      trigger->wait();
    });
    const int seen = fires.load();
    while (fires.load() < seen + 2) std::this_thread::yield();  // at least one fire starts after the destruction
    stop.store(true);
    other.join();
  }
}

TEST_P(OutliveRuntime, TriggerMayBeDestroyedAfterItsWaitReturned) {
  // The other thread may still be inside fire().
  run([] {
    for (int round = 0; round < 200; ++round) {
      std::optional<Trigger> trigger(std::in_place);
      std::thread other([&trigger = *trigger] { trigger.fire(); });
      trigger->wait();
      trigger.reset();
      other.join();
    }
  });
}

TEST(TriggerType, IsNeitherCopyableNorMovable) {
  // Other threads hold its address.
  static_assert(!std::is_copy_constructible_v<Trigger> && !std::is_copy_assignable_v<Trigger>);
  static_assert(!std::is_move_constructible_v<Trigger> && !std::is_move_assignable_v<Trigger>);
}

}  // namespace
}  // namespace trueasync::test
