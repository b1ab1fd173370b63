// Deadlines inherited through scopes.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class DeadlineTest : public ReactorTest {};
// Only in virtual time, so that the order of timers does not depend on the speed of the machine.
INSTANTIATE_TEST_SUITE_P(Reactors, DeadlineTest, ::testing::Values(ReactorKind::simulated), reactor_name);

TEST_P(DeadlineTest, EndsEveryKindOfWaitInChildScopes) {
  run([] {
    Scope parent = Scope::inherit();
    Scope child = Scope::inherit(parent);
    parent.set_timeout(10ms);
    int ended = 0;
    auto expect_deadline = [&](auto&& waits) {
      child.spawn([&ended, waits] {
        try {
          waits();
          ADD_FAILURE() << "the wait returned";
        } catch (const DeadlineError& error) {
          EXPECT_NE(std::string(error.what()).find("deadline of its scope"), std::string::npos);
          ++ended;
        }
      });
    };
    auto forever = spawn([] { delay(1h); });
    expect_deadline([] { delay(1h); });
    expect_deadline([&forever] { await(forever); });
    expect_deadline([] { await(spawn([] { protect([] { delay(20ms); }); })); });
    expect_deadline([] {
      for (;;) {
        yield();
        delay(1ms);
      }
    });
    expect_deadline([&forever] {
      Event* events[] = {&forever.event()};
      wait_any(events, 1h);
    });
    expect_deadline([&forever] { await(forever, timeout(1h)); });
    try {
      parent.await_completion();
    } catch (const TimeoutError&) {
      // of the coroutine in protect(), which failed unobserved
    }
    EXPECT_EQ(ended, 6);
    forever.cancel();
  });
}

TEST_P(DeadlineTest, EarliestDeadlineApplies) {
  run([] {
    Scope parent = Scope::inherit();
    Scope child = Scope::inherit(parent);
    EXPECT_FALSE(child.deadline());
    parent.set_timeout(1h);
    const auto late_deadline = child.deadline();
    ASSERT_TRUE(late_deadline);
    child.set_timeout(5ms);
    EXPECT_LT(*child.deadline(), *late_deadline);
    auto task = child.spawn([] {
      EXPECT_LE(*remaining_time(), 5ms);
      delay(1h);
    });
    EXPECT_THROW(await(task), TimeoutError);
    EXPECT_FALSE(current_deadline());
    EXPECT_FALSE(remaining_time());
    Scope early = Scope::inherit();
    early.set_timeout(5ms);
    Scope late = Scope::inherit(early);
    late.set_timeout(1h);
    auto other = late.spawn([] { delay(1h); });
    EXPECT_THROW(await(other), DeadlineError);
    const TimePoint before_parent = *early.deadline() - 1ms;
    late.set_deadline(before_parent);
    EXPECT_EQ(late.deadline(), before_parent);
  });
}

// CA-01
TEST_P(DeadlineTest, IsStickyAndCleanupMaySuspend) {
  run([] {
    Scope scope = Scope::inherit();
    scope.set_timeout(1ms);
    int cleaned = 0;
    struct Cleanup {
      int& count;
      ~Cleanup() {
        delay(1ms);
        ++count;
      }
    };
    await(scope.spawn([&] {
      try {
        Cleanup cleanup{cleaned};
        delay(1h);
      } catch (const DeadlineError&) {
        delay(1ms);  // inside the catch block too
        ++cleaned;
      }
      EXPECT_THROW(yield(), DeadlineError);
      EXPECT_THROW(delay(1ms), DeadlineError);
      EXPECT_EQ(remaining_time(), 0ns);
    }));
    EXPECT_EQ(cleaned, 2);
    auto late = scope.spawn([] { yield(); });
    EXPECT_THROW(await(late), DeadlineError) << "the deadline applies to coroutines spawned later";
    Scope child = Scope::inherit(scope);
    auto later = child.spawn([] { yield(); });
    EXPECT_THROW(await(later), DeadlineError);
  });
}

// CA-06
TEST_P(DeadlineTest, ProtectDefersDelivery) {
  run([] {
    Scope scope = Scope::inherit();
    scope.set_timeout(1ms);
    bool finished = false;
    auto task = scope.spawn([&] {
      protect([&] {
        delay(5ms);
        finished = true;
      });
      ADD_FAILURE() << "not delivered after protect()";
    });
    EXPECT_THROW(await(task), DeadlineError);
    EXPECT_TRUE(finished);
  });
}

TEST_P(DeadlineTest, CancellationIsDeliveredAfterDeadlineError) {
  run([] {
    Scope scope = Scope::inherit();
    scope.set_timeout(1ms);
    auto task = scope.spawn([&] {
      try {
        delay(1h);
      } catch (const DeadlineError&) {
        try {
          delay(10ms);
        } catch (const Cancelled&) {
          ADD_FAILURE() << "cleanup was interrupted";
        }
      }
      yield();
    });
    delay(4ms);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
  });
}

TEST_P(DeadlineTest, UnreachedDeadlineLeavesNoTimer) {
  run([] {
    Scope scope = Scope::inherit();
    scope.set_timeout(1h);
    await(scope.spawn([] { delay(1ms); }));
    EXPECT_EQ(Scope::current(), Scope::root());
    EXPECT_THROW(Scope::root().set_timeout(1h), MisuseError);
  });
}

TEST_P(DeadlineTest, ErrorOutlivesItsCoroutine) {
  std::exception_ptr kept;
  run([&] {
    Scope scope = Scope::inherit();
    scope.set_timeout(1ms);
    auto task = scope.spawn([] { delay(1h); });
    try {
      await(task);
    } catch (...) {
      kept = std::current_exception();
    }
  });
  EXPECT_THROW(std::rethrow_exception(kept), DeadlineError);
}

}  // namespace
}  // namespace trueasync::test
