// Timers and triggers that outlive their runtime: using them is an error or does nothing, never a crash.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <type_traits>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Outlive : public ReactorTest {
 protected:
  // A runtime that is gone when this returns.
  template <class F>
  void run_and_end(F&& function) {
    make_runtime(GetParam())->run(std::forward<F>(function));
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(Outlive);

// SH-01
TEST_P(Outlive, ATimeoutOfAnotherRuntimeIsAnError) {
  std::optional<Timeout> timeout;
  run_and_end([&] { timeout.emplace(50ms); });
  run([&] {
    auto task = spawn([] { delay(1ms); });
    EXPECT_THROW(await(task, *timeout), MisuseError);
  });
}

// SH-01
TEST_P(Outlive, AnIntervalOfAnotherRuntimeIsAnError) {
  std::optional<Interval> ticks;
  run_and_end([&] {
    ticks.emplace(1ms);
    EXPECT_GE(ticks->wait(), 1u);
  });
  run([&] { EXPECT_THROW(ticks->wait(), MisuseError); });
}

// SH-01
TEST_P(Outlive, ATriggerOfAnotherRuntimeIsAnError) {
  std::optional<Trigger> trigger;
  run_and_end([&] { trigger.emplace(); });
  run([&] { EXPECT_THROW(trigger->wait(), MisuseError); });
}

// SH-01
TEST_P(Outlive, ATriggerMayBeFiredWhileItsRuntimeEnds) {
  for (int round = 0; round < 50; ++round) {
    std::optional<Trigger> trigger;
    std::atomic<int> fires{0};
    std::atomic<bool> enough{false};
    std::thread other;
    run_and_end([&] {
      trigger.emplace();
      other = std::thread([&] {
        while (!enough.load()) {
          trigger->fire();
          fires.fetch_add(1);
        }
      });
      trigger->wait();
    });
    const int seen = fires.load();
    while (fires.load() < seen + 2) std::this_thread::yield();  // at least one fire began after the end
    enough.store(true);
    other.join();
  }
}

TEST_P(Outlive, ATriggerMayDieAsSoonAsItsFireWasSeen) {
  // The thread may still be inside fire() by then.
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

TEST(TriggerType, HasOneAddressForLife) {
  // Whoever fires it from another thread holds its address; its count belongs to one thread.
  static_assert(!std::is_copy_constructible_v<Trigger> && !std::is_copy_assignable_v<Trigger>);
  static_assert(!std::is_move_constructible_v<Trigger> && !std::is_move_assignable_v<Trigger>);
}

}  // namespace
}  // namespace trueasync::test
