// Delivery of cancellation, and coroutines that catch it.
#include <gtest/gtest.h>

#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

static_assert(!std::is_base_of_v<std::exception, Cancelled>, "handlers of ordinary errors must not catch it");
static_assert(!std::is_base_of_v<std::exception, OperationCancelled>, "handlers of ordinary errors must not catch it");

class CancelDelivery : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelDelivery);

// CXL-01
TEST_P(CancelDelivery, CancelledBeforeStartNeverStarts) {
  run([] {
    bool ran = false;
    auto captured = std::make_shared<int>(1);
    auto task = spawn([&ran, captured] { ran = true; });
    EXPECT_TRUE(task.cancel());
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_FALSE(ran);
    EXPECT_TRUE(task.is_cancelled());
    EXPECT_EQ(captured.use_count(), 1) << "the closure is destroyed";
  });
}

// CXL-01
TEST_P(CancelDelivery, EveryKindOfWaitThrowsCancelled) {
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
      bool returned = false;
      auto task = spawn([&] {
        waits[i]();
        returned = true;
      });
      yield();
      EXPECT_TRUE(task.cancel());
      EXPECT_THROW(await(task), Cancelled) << "wait " << i;
      EXPECT_FALSE(returned) << "wait " << i;
    }
    EXPECT_FALSE(event->has_subscribers());
    EXPECT_FALSE(event->is_active());
    forever.cancel();
  });
}

// CXL-01 CA-07
TEST_P(CancelDelivery, CancelOfFinishedTaskHasNoEffect) {
  run([] {
    auto task = spawn([] { return 7; });
    EXPECT_EQ(await(task), 7);
    EXPECT_FALSE(task.cancel());
    EXPECT_FALSE(task.is_cancelled());
    EXPECT_EQ(await(task), 7);
  });
}

// CXL-02 CA-02
TEST_P(CancelDelivery, HandlerOfStdExceptionDoesNotCatchIt) {
  run([] {
    bool caught = false;
    auto task = spawn([&] {
      try {
        delay(24h);
      } catch (const std::exception&) {
        caught = true;
      }
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_FALSE(caught);
  });
}

// CXL-03
TEST_P(CancelDelivery, RequestedAndCancelledAreDistinct) {
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
TEST_P(CancelDelivery, CaughtCancellationIsDeliveredAgain) {
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
    EXPECT_EQ(await(task), 5) << "a coroutine that returns a value is not cancelled";
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
TEST_P(CancelDelivery, DestructorMaySuspendDuringUnwinding) {
  run([] {
    int cleaned_up = 0;
    struct Cleanup {
      int& cleaned_up;
      ~Cleanup() {
        delay(1ms);
        await(spawn([] { yield(); }));
        ++cleaned_up;
      }
    };
    auto task = spawn([&] {
      Cleanup outer{cleaned_up};
      Cleanup inner{cleaned_up};
      delay(24h);
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(cleaned_up, 2);
  });
}

// CA-01 CA-07
TEST_P(CancelDelivery, SecondCancelDuringCleanupHasNoEffect) {
  run([] {
    int cleaned_up = 0;
    auto task = spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        delay(1ms);
        ++cleaned_up;
        throw;
      }
    });
    yield();
    EXPECT_TRUE(task.cancel());
    yield();
    EXPECT_TRUE(task.cancel());
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(cleaned_up, 1);
  });
}

// CA-07
TEST_P(CancelDelivery, SelfCancelIsDeliveredAtNextSuspension) {
  run([] {
    bool continued = false;
    auto task = spawn([&] {
      EXPECT_TRUE(current_coroutine().cancel());
      continued = true;
      yield();
      ADD_FAILURE() << "the suspension must throw";
    });
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(continued);
    auto quick = spawn([] {
      current_coroutine().cancel();
      return 3;
    });
    EXPECT_EQ(await(quick), 3) << "without another suspension the coroutine returns its value";
    EXPECT_FALSE(quick.is_cancelled());
  });
}

// CXL-01
TEST_P(CancelDelivery, CancelWhileSuspendingIsDelivered) {
  // A microtask and a switch handler run after the coroutine has called delay() and before it is suspended.
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
    auto other = spawn([] { yield(); });  // without another ready coroutine yield() would not switch
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
    EXPECT_EQ(statistics().polls_blocking, 0u) << "the cancellation does not wait for a timer";
  });
}

// CA-03
TEST_P(CancelDelivery, AwaiterOfCancelledTaskIsNotCancelled) {
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
