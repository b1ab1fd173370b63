// A scenario with every kind of suspension, cancelled at each of its suspension points. No run may leak anything.
#include <gtest/gtest.h>

#include "handoff_lock.hpp"
#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// while_suspending: a switch handler cancels the coroutine before it is suspended.
// while_suspended: another coroutine cancels it later.
enum class CancelMode { while_suspending, while_suspended };

struct Counters {
  int live_resources = 0;
  int suspensions = 0;  // of the scenario, until it is cancelled
  bool cancelled = false;
  int protect_started = 0;
  int protect_finished = 0;
};

struct Resource {
  explicit Resource(Counters& counters_) : counters(counters_) { ++counters.live_resources; }
  // Cleanup that suspends. It may do so while Cancelled unwinds the stack. On the normal path the cancellation may be
  // delivered here; the destructor must catch it, and it is delivered again at the next suspension.
  ~Resource() {
    try {
      yield();
    } catch (const Cancelled&) {
    }
    --counters.live_resources;
  }
  Counters& counters;
};

void scenario(Counters& counters, HandoffLock& lock, ManualEvent& event, Trigger& trigger) {
  Resource outer(counters);
  yield();
  delay(1ms);
  auto child = spawn([&] {
    Resource local(counters);
    delay(2ms);
    return 3;
  });
  EXPECT_EQ(await(child), 3);
  lock.acquire();
  struct ReleaseGuard {
    HandoffLock& lock;
    ~ReleaseGuard() { lock.release(); }
  } release_guard{lock};
  protect([&] {
    ++counters.protect_started;
    Resource inner(counters);
    delay(1ms);
    yield();
    ++counters.protect_finished;
  });
  trigger.fire();
  trigger.wait();
  Event* events[] = {&event, &trigger.event()};
  wait_any(events);
  auto slow = spawn([] { delay(24h); });
  struct CancelGuard {
    Task<void>& task;
    ~CancelGuard() { task.cancel(); }
  } cancel_guard{slow};
  try {
    await(slow, timeout(3ms));
  } catch (const OperationCancelled&) {
  }
  try {
    wait_any(std::span(events, 1), 1us);
  } catch (const TimeoutError&) {
  }
}

// Cancels the coroutine at its n-th suspension.
void cancel_at(const Task<void>& task, int n, CancelMode mode, Counters& counters) {
  add_switch_handler(task.coroutine(), [&counters, n, mode](const Coroutine& self, SwitchKind kind) {
    if (kind != SwitchKind::leave || counters.cancelled || ++counters.suspensions < n) return true;
    counters.cancelled = true;
    if (mode == CancelMode::while_suspending) {
      self.cancel();
    } else {
      spawn([self] { self.cancel(); });
    }
    return true;
  });
}

// Runs the scenario and checks that nothing is leaked.
void run_scenario(int n, CancelMode mode, Counters& counters) {
  HandoffLock lock;
  lock.acquire();
  auto event = ManualEvent::make();
  Trigger trigger;
  auto task = spawn([&] { scenario(counters, lock, *event, trigger); });
  cancel_at(task, n, mode, counters);
  // Releases the lock and fires the event, with or without the cancelled task.
  auto other = spawn([&] {
    delay(8ms);
    lock.release();
    for (int i = 0; i < 20; ++i) {
      delay(1ms);
      event->fire();
    }
  });
  try {
    await(task);
  } catch (const Cancelled&) {
  }
  await(other);
  EXPECT_EQ(counters.live_resources, 0);
  EXPECT_EQ(counters.protect_started, counters.protect_finished) << "a started protect() block finishes";
  EXPECT_TRUE(lock.is_free()) << "the lock is reclaimed";
  EXPECT_FALSE(event->has_subscribers()) << "the wait unsubscribes";
  EXPECT_EQ(event->starts, event->stops) << "each start has one stop";
  EXPECT_TRUE(task.is_finished());
}

class CancelEverySuspension : public ReactorTest {
 protected:
  void cancel_at_every_suspension(CancelMode mode) {
    int cancellations = 0;
    for (int n = 1;; ++n) {
      SCOPED_TRACE("suspension " + std::to_string(n));
      Counters counters;
      run([&] { run_scenario(n, mode, counters); });
      if (!counters.cancelled) break;
      ++cancellations;
      ASSERT_LT(n, 200);
    }
    EXPECT_GE(cancellations, 8) << "the scenario has fewer suspensions than expected";
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelEverySuspension);

// CXL-01 CXL-03 CXL-05 CA-04 CA-05 CA-06 TE-01 TE-03
TEST_P(CancelEverySuspension, CancelWhileSuspendingLeaksNothing) {
  cancel_at_every_suspension(CancelMode::while_suspending);
}

// CXL-01 CXL-03 CXL-05 CA-04 CA-05 CA-06 TE-01 TE-03
TEST_P(CancelEverySuspension, CancelWhileSuspendedLeaksNothing) {
  cancel_at_every_suspension(CancelMode::while_suspended);
}

}  // namespace
}  // namespace trueasync::test
