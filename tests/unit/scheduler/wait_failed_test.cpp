// wait_any() and wait_all() over coroutines: the wait throws the error of a failed coroutine and observes it.
#include <stdexcept>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class WaitFailed : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(WaitFailed);

[[noreturn]] void fail() { throw std::range_error("the task failed"); }

// AW-03
TEST_P(WaitFailed, ErrorOfFailingTaskIsThrownByWait) {
  // The error is observed. Otherwise run() would throw it.
  run([] {
    auto task = spawn(&fail);
    Event* events[] = {&task.event()};
    EXPECT_THROW(wait_any(events), std::range_error);
  });
  run([] {
    auto task = spawn(&fail);
    auto other = spawn([] { delay(1h); });
    Event* events[] = {&other.event(), &task.event()};
    EXPECT_THROW(wait_all(events), std::range_error) << "the first error ends the wait";
    other.cancel();
  });
}

// AW-03 SUS-02
TEST_P(WaitFailed, ErrorOfFailedTaskIsThrownByWait) {
  for (const bool all : {false, true}) {
    run([all] {
      auto task = spawn(&fail);
      yield();
      ASSERT_TRUE(task.is_finished());
      Event* events[] = {&task.event()};
      EXPECT_THROW(all ? wait_all(events) : static_cast<void>(wait_any(events)), std::range_error);
    });
  }
}

TEST_P(WaitFailed, ObservedErrorMayBeAwaitedAgain) {
  run([] {
    auto task = spawn([]() -> int { throw std::range_error("the task failed"); });
    Event* events[] = {&task.event()};
    EXPECT_THROW(wait_any(events), std::range_error);
    EXPECT_THROW(await(task), std::range_error);
  });
}

TEST_P(WaitFailed, SucceedingTasksEndWaitWithoutError) {
  run([] {
    auto first = spawn([] { return 1; });
    auto second = spawn([] { return 2; });
    Event* events[] = {&first.event(), &second.event()};
    wait_all(events);
    EXPECT_EQ(wait_any(events), 0u);
    EXPECT_EQ(await(first) + await(second), 3);
  });
}

// AW-03
TEST_P(WaitFailed, UnobservedErrorStaysUnhandled) {
  // The other event ended the wait.
  EXPECT_THROW(run([] {
                 auto quick = ManualEvent::make();
                 quick->completed = true;
                 auto task = spawn(&fail);
                 Event* events[] = {quick.get(), &task.event()};
                 EXPECT_EQ(wait_any(events), 0u);
               }),
               std::range_error);
}

TEST_P(WaitFailed, WaitAllOfManyTasksThrowsError) {
  // More events than a wait keeps on the stack.
  run([] {
    std::vector<Task<void>> tasks;
    std::vector<Event*> events;
    for (int i = 0; i < 20; ++i) {
      tasks.push_back(spawn([i] {
        if (i == 13) fail();
      }));
      events.push_back(&tasks.back().event());
    }
    EXPECT_THROW(wait_all(events), std::range_error);
  });
}

}  // namespace
}  // namespace trueasync::test
