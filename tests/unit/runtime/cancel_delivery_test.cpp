// When a cancellation arrives, and what a coroutine that catches it can do.
#include <gtest/gtest.h>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

static_assert(!std::is_base_of_v<std::exception, Cancelled>, "CXL-02");
static_assert(!std::is_base_of_v<std::exception, OperationCancelled>, "CXL-02");

class CancelDelivery : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelDelivery);

// CXL-01
TEST_P(CancelDelivery, NotStartedNeverStarts) {
  run([] {
    bool ran = false;
    auto captured = std::make_shared<int>(1);
    auto task = spawn([&ran, captured] { ran = true; });
    EXPECT_TRUE(task.cancel());
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_FALSE(ran);
    EXPECT_TRUE(task.is_cancelled());
    EXPECT_EQ(captured.use_count(), 1) << "the closure is destroyed although it never ran";
  });
}

// CXL-01
TEST_P(CancelDelivery, EveryKindOfWaitWakesAtItsSuspensionPoint) {
  run([] {
    Trigger trigger;
    auto event = ManualEvent::make();
    auto forever = spawn([&] { delay(24h); });
    std::vector<std::function<void()>> waits = {
        [] {
          yield();
          yield();
        },
        [] { delay(24h); },
        [&] { trigger.wait(); },
        [&] { wait_for(*event); },
        [&] { await(forever); },
        [&] { await(forever, timeout(24h)); },
    };
    for (std::size_t i = 0; i < waits.size(); ++i) {
      bool came_back = false;
      auto task = spawn([&] {
        waits[i]();
        came_back = true;
      });
      yield();
      EXPECT_TRUE(task.cancel());
      EXPECT_THROW(await(task), Cancelled) << "wait " << i;
      EXPECT_FALSE(came_back) << "wait " << i;
    }
    EXPECT_FALSE(event->has_subscribers());
    EXPECT_FALSE(event->is_active());
    forever.cancel();
  });
}

// CXL-01 CA-07
TEST_P(CancelDelivery, FinishedStaysFinished) {
  run([] {
    auto task = spawn([] { return 7; });
    EXPECT_EQ(await(task), 7);
    EXPECT_FALSE(task.cancel());
    EXPECT_FALSE(task.is_cancelled());
    EXPECT_EQ(await(task), 7);
  });
}

// CXL-02 CA-02
TEST_P(CancelDelivery, HandlersOfOrdinaryErrorsLetItPass) {
  run([] {
    bool swallowed = false;
    auto task = spawn([&] {
      try {
        delay(24h);
      } catch (const std::exception&) {
        swallowed = true;
      }
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_FALSE(swallowed);
  });
}

// CXL-03
TEST_P(CancelDelivery, RequestedAndDoneAreToldApart) {
  run([] {
    auto task = spawn([] { delay(24h); });
    yield();
    task.cancel();
    EXPECT_TRUE(task.coroutine().is_cancellation_requested());
    EXPECT_FALSE(task.is_cancelled());
    EXPECT_FALSE(task.is_finished());
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(task.is_cancelled());
  });
}

// CA-01
TEST_P(CancelDelivery, WhoCatchesItAndGoesOnGetsItAtTheNextSuspension) {
  run([] {
    int caught = 0;
    auto task = spawn([&] {
      for (int i = 0; i < 3; ++i) {
        try {
          delay(24h);
        } catch (const Cancelled&) {
          ++caught;
        }
      }
      return 5;
    });
    yield();
    task.cancel();
    EXPECT_EQ(await(task), 5) << "it ended well in the end, so it is not cancelled";
    EXPECT_EQ(caught, 3);
    EXPECT_FALSE(task.is_cancelled());
  });
}

// CA-01
TEST_P(CancelDelivery, CatchBlockMaySuspend) {
  run([] {
    std::vector<std::string> steps;
    auto task = spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        delay(1ms);
        yield();
        steps.push_back("cleaned up");
        throw;
      }
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(steps, std::vector<std::string>{"cleaned up"});
  });
}

// CA-01 CXL-01
TEST_P(CancelDelivery, DestructorsMaySuspendWhileItUnwinds) {
  run([] {
    int cleaned = 0;
    struct Cleanup {
      int& cleaned;
      ~Cleanup() {
        delay(1ms);
        await(spawn([] { yield(); }));
        ++cleaned;
      }
    };
    auto task = spawn([&] {
      Cleanup outer{cleaned};
      Cleanup inner{cleaned};
      delay(24h);
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(cleaned, 2);
  });
}

// CA-01 CA-07
TEST_P(CancelDelivery, SecondRequestDuringCleanupChangesNothing) {
  run([] {
    int cleaned = 0;
    auto task = spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        delay(1ms);
        ++cleaned;
        throw;
      }
    });
    yield();
    EXPECT_TRUE(task.cancel());
    yield();
    EXPECT_TRUE(task.cancel());
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(cleaned, 1);
  });
}

// CA-07
TEST_P(CancelDelivery, SelfCancelComesAtTheNextSuspension) {
  run([] {
    bool went_on = false;
    auto task = spawn([&] {
      EXPECT_TRUE(current_coroutine().cancel());
      went_on = true;
      yield();
      ADD_FAILURE() << "the suspension must throw";
    });
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(went_on);
    auto quick = spawn([] {
      current_coroutine().cancel();
      return 3;
    });
    EXPECT_EQ(await(quick), 3) << "it never suspended again, so it ended as it meant to";
    EXPECT_FALSE(quick.is_cancelled());
  });
}

// CXL-01
TEST_P(CancelDelivery, OneThatIsJustSuspendingIsReached) {
  // A microtask and a switch handler run while the coroutine is on its way into the wait.
  run([] {
    auto by_microtask = spawn([] {
      queue_microtask([self = current_coroutine()] { self.cancel(); });
      delay(24h);
    });
    EXPECT_THROW(await(by_microtask), Cancelled);
    auto by_handler = spawn([] {
      add_switch_handler([](const Coroutine& self, SwitchKind) {
        self.cancel();
        return false;
      });
      delay(24h);
    });
    EXPECT_THROW(await(by_handler), Cancelled);
    auto other = spawn([] { yield(); });  // without one the yield would be no switch
    auto by_handler_ready = spawn([] {
      add_switch_handler([](const Coroutine& self, SwitchKind) {
        self.cancel();
        return false;
      });
      yield();
    });
    EXPECT_THROW(await(by_handler_ready), Cancelled);
    await(other);
    EXPECT_EQ(statistics().deadlocks, 0u);
    EXPECT_EQ(statistics().polls_blocking, 0u) << "nobody had to wait for a timer";
  });
}

// CA-03
TEST_P(CancelDelivery, AwaiterOfACancelledOneIsNotCancelledItself) {
  run([] {
    auto child = spawn([] { delay(24h); });
    auto parent = spawn([&] {
      try {
        await(child);
      } catch (const Cancelled&) {
      }
      yield();
      return current_coroutine().is_cancellation_requested();
    });
    yield();
    child.cancel();
    EXPECT_FALSE(await(parent));
  });
}

}  // namespace
}  // namespace trueasync::test
