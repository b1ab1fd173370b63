// One scenario with every kind of suspension, cancelled at each of its suspension points in turn: whatever the point,
// nothing may be left.
#include <gtest/gtest.h>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// How the cancellation reaches the victim: while it is on its way into the wait, or from a coroutine that runs later.
enum class Blow { on_the_way, from_another };

struct Traces {
  int resources = 0;    // alive now
  int suspensions = 0;  // of the victim, until it was hit
  bool hit = false;
  int protected_begun = 0;
  int protected_done = 0;
};

struct Resource {
  explicit Resource(Traces& all) : traces(all) { ++traces.resources; }
  // Cleanup that suspends: free to do so while the cancellation unwinds. On the ordinary way out the cancellation may
  // come right here, and must not leave a destructor; it comes again at the next suspension.
  ~Resource() {
    try {
      yield();
    } catch (const Cancelled&) {
    }
    --traces.resources;
  }
  Traces& traces;
};

void scenario(Traces& traces, HandoffEvent& baton, ManualEvent& event, Trigger& trigger) {
  Resource outer(traces);
  yield();
  delay(1ms);
  auto child = spawn([&] {
    Resource mine(traces);
    delay(2ms);
    return 3;
  });
  EXPECT_EQ(await(child), 3);
  baton.take();
  struct Give {
    HandoffEvent& baton;
    ~Give() { baton.give(); }
  } give{baton};
  protect([&] {
    ++traces.protected_begun;
    Resource inner(traces);
    delay(1ms);
    yield();
    ++traces.protected_done;
  });
  trigger.fire();
  trigger.wait();
  Event* events[] = {&event, &trigger.event()};
  wait_any(events);
  auto slow = spawn([] { delay(24h); });
  struct Stop {
    Task<void>& task;
    ~Stop() { task.cancel(); }
  } stop{slow};
  try {
    await(slow, timeout(3ms));
  } catch (const OperationCancelled&) {
  }
  try {
    wait_any(std::span(events, 1), 1us);
  } catch (const TimeoutError&) {
  }
}

void hit_at(const Task<void>& victim, int n, Blow blow, Traces& traces) {
  add_switch_handler(victim.coroutine(), [&traces, n, blow](const Coroutine& self, SwitchKind kind) {
    if (kind != SwitchKind::leave || traces.hit || ++traces.suspensions < n) return true;
    traces.hit = true;
    if (blow == Blow::on_the_way) {
      self.cancel();
    } else {
      spawn([self] { self.cancel(); });
    }
    return true;
  });
}

void strike(int n, Blow blow, Traces& traces) {
  HandoffEvent baton;
  baton.take();
  auto event = ManualEvent::make();
  Trigger trigger;
  auto victim = spawn([&] { scenario(traces, baton, *event, trigger); });
  hit_at(victim, n, blow, traces);
  // The rest of the world keeps going whether the victim is there or not.
  auto world = spawn([&] {
    delay(8ms);
    baton.give();
    for (int i = 0; i < 20; ++i) {
      delay(1ms);
      event->fire();
    }
  });
  try {
    await(victim);
  } catch (const Cancelled&) {
  }
  await(world);
  EXPECT_EQ(traces.resources, 0);
  EXPECT_EQ(traces.protected_begun, traces.protected_done) << "CA-06: a protected block that began has ended";
  EXPECT_TRUE(baton.is_free()) << "CXL-05";
  EXPECT_FALSE(event->has_subscribers()) << "CA-04";
  EXPECT_EQ(event->starts, event->stops) << "CA-05";
  EXPECT_TRUE(victim.is_finished());
}

class CancelEverywhere : public ReactorTest {
 protected:
  void at_every_point(Blow blow) {
    int cancelled_points = 0;
    for (int n = 1;; ++n) {
      SCOPED_TRACE("suspension " + std::to_string(n));
      Traces traces;
      run([&] { strike(n, blow, traces); });
      if (!traces.hit) break;
      ++cancelled_points;
      ASSERT_LT(n, 200);
    }
    EXPECT_GE(cancelled_points, 8) << "the scenario must have engaged its waits";  // TE-03
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelEverywhere);

// CXL-01 CXL-03 CXL-05 CA-04 CA-05 CA-06 TE-01
TEST_P(CancelEverywhere, NothingIsLeftWhicheverSuspensionIsHit) {
  at_every_point(Blow::on_the_way);
}

// CXL-01 CXL-03 CXL-05 CA-04 CA-05 CA-06 TE-01
TEST_P(CancelEverywhere, NothingIsLeftWhenAnotherCoroutineStrikes) {
  at_every_point(Blow::from_another);
}

}  // namespace
}  // namespace trueasync::test
