// Deadlines inherited through scopes.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class Deadlines : public ReactorTest {};
// In virtual time only: what is due first must be a matter of the test, not of the machine.
INSTANTIATE_TEST_SUITE_P(Reactors, Deadlines, ::testing::Values(ReactorKind::simulated), reactor_name);

TEST_P(Deadlines, EveryWaitBelowEndsWhenItPasses) {
  run([] {
    Scope top = Scope::inherit();
    Scope below = Scope::inherit(top);
    top.set_timeout(10ms);
    int ended = 0;
    auto expect_deadline = [&](auto&& waits) {
      below.spawn([&ended, waits] {
        try {
          waits();
          ADD_FAILURE() << "went on";
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
      top.await_completion();
    } catch (const TimeoutError&) {
      // the coroutine in protect() failed with it as well, and nobody awaited it any more
    }
    EXPECT_EQ(ended, 6);
    forever.cancel();
  });
}

TEST_P(Deadlines, TheEarlierOneCounts) {
  run([] {
    Scope top = Scope::inherit();
    Scope below = Scope::inherit(top);
    EXPECT_FALSE(below.deadline());
    top.set_timeout(1h);
    const auto far = below.deadline();
    ASSERT_TRUE(far);
    below.set_timeout(5ms);
    EXPECT_LT(*below.deadline(), *far);
    auto task = below.spawn([] {
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
  });
}

TEST_P(Deadlines, ItIsStickyAndCleanupMaySuspend) {
  // CA-01
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
    EXPECT_THROW(await(late), DeadlineError) << "who comes later has none left";
    Scope below = Scope::inherit(scope);
    auto later = below.spawn([] { yield(); });
    EXPECT_THROW(await(later), DeadlineError);
  });
}

TEST_P(Deadlines, ProtectDefersIt) {
  // CA-06
  run([] {
    Scope scope = Scope::inherit();
    scope.set_timeout(1ms);
    bool finished = false;
    auto task = scope.spawn([&] {
      protect([&] {
        delay(5ms);
        finished = true;
      });
      ADD_FAILURE() << "delivered right after it";
    });
    EXPECT_THROW(await(task), DeadlineError);
    EXPECT_TRUE(finished);
  });
}

TEST_P(Deadlines, ACancellationStillComesThrough) {
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
          ADD_FAILURE() << "cleanup is not disturbed";
        }
      }
      yield();
    });
    delay(4ms);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
  });
}

TEST_P(Deadlines, OneThatIsNotReachedLeavesNothingBehind) {
  run([] {
    Scope scope = Scope::inherit();
    scope.set_timeout(1h);
    await(scope.spawn([] { delay(1ms); }));
    EXPECT_EQ(Scope::current(), Scope::root());
    EXPECT_THROW(Scope::root().set_timeout(1h), MisuseError);
  });
}

TEST_P(Deadlines, ErrorsMayOutliveTheirCoroutine) {
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
