// TaskScope: a scope that waits for its coroutines.
#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class TaskScopeTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(TaskScopeTest);

// Takes 2 ms to finish after a cancellation. Uses `live`, a variable of the owner's frame, until the end.
void finish_with_delay(int& live) {
  struct LiveCount {
    int& count;
    explicit LiveCount(int& counter) : count(counter) { ++count; }
    ~LiveCount() {
      delay(2ms);
      --count;
    }
  } live_count(live);
  delay(1h);
}

TEST_P(TaskScopeTest, JoinWaitsForAllCoroutines) {
  run([] {
    int sum = 0;
    TaskScope tasks;
    for (int i = 1; i <= 4; ++i) {
      tasks.spawn([&, i] {
        delay(i * 1ms);
        sum += i;
      });
    }
    tasks.join();
    EXPECT_EQ(sum, 10);
    auto more = tasks.spawn([] { return 7; });
    EXPECT_EQ(await(more), 7);
  });
}

TEST_P(TaskScopeTest, DestructorCancelsAndWaits) {
  run([] {
    int live = 0;
    {
      TaskScope tasks;
      tasks.spawn([&] { finish_with_delay(live); });
      tasks.spawn([&] { spawn([&] { finish_with_delay(live); }); });
      delay(1ms);
      EXPECT_EQ(live, 2);
    }
    EXPECT_EQ(live, 0);
  });
}

TEST_P(TaskScopeTest, DestructorWaitsDuringUnwinding) {
  run([] {
    int live = 0;
    try {
      TaskScope tasks;
      tasks.spawn([&] { finish_with_delay(live); });
      yield();
      throw std::runtime_error("failed");
    } catch (const std::runtime_error&) {
      EXPECT_EQ(live, 0);
    }
  });
}

// CA-01
TEST_P(TaskScopeTest, DestructorWaitsWhenOwnerIsCancelled) {
  run([] {
    int live = 0;
    auto owner = spawn([&] {
      TaskScope tasks;
      tasks.spawn([&] { finish_with_delay(live); });
      tasks.join();
    });
    delay(1ms);
    owner.cancel();
    EXPECT_THROW(await(owner), Cancelled);
    EXPECT_EQ(live, 0);
  });
}

// CA-06
TEST_P(TaskScopeTest, DestructorDefersCancellation) {
  run([] {
    int live = 0;
    bool after = false;
    auto owner = spawn([&] {
      {
        TaskScope tasks;
        tasks.spawn([&] { finish_with_delay(live); });
        yield();
      }
      after = true;
      yield();
      ADD_FAILURE();
    });
    delay(1ms);
    owner.cancel();
    EXPECT_THROW(await(owner), Cancelled);
    EXPECT_TRUE(after);
    EXPECT_EQ(live, 0);
  });
}

TEST_P(TaskScopeTest, ErrorCancelsSiblingsAndIsThrownByJoin) {
  run([] {
    TaskScope tasks;
    auto failing = tasks.spawn([] { throw std::runtime_error("broken"); });
    auto other = tasks.spawn([] { delay(1h); });
    EXPECT_THROW(tasks.join(), std::runtime_error);
    EXPECT_TRUE(other.is_cancelled());
    EXPECT_THROW(await(failing), std::runtime_error) << "await() still throws the error";
    tasks.join();
  });
}

TEST_P(TaskScopeTest, ExceptionHandlerKeepsSiblingsRunning) {
  run([] {
    int errors = 0;
    TaskScope tasks;
    tasks.scope().set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++errors; });
    auto other = tasks.spawn([] { delay(2ms); });
    tasks.spawn([] { throw std::runtime_error("broken"); });
    tasks.join();
    EXPECT_EQ(errors, 1);
    EXPECT_FALSE(other.is_cancelled());
  });
}

TEST_P(TaskScopeTest, ErrorNotThrownByJoinPropagates) {
  run([] {
    int errors = 0;
    Scope outer = Scope::inherit();
    outer.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++errors; });
    outer.spawn([] {
      TaskScope tasks;
      tasks.spawn([] { throw std::runtime_error("broken"); });
      yield();
    });
    outer.await_completion();
    EXPECT_EQ(errors, 1);
  });
}

// CA-01
TEST_P(TaskScopeTest, CanBeUsedInCleanupOfCancelledCoroutine) {
  run([] {
    Scope scope = Scope::inherit();
    int cleaned = 0;
    scope.spawn([&] {
      try {
        delay(1h);
      } catch (const Cancelled&) {
        TaskScope tasks;
        tasks.spawn([&] { ++cleaned; });
        tasks.join();
        throw;
      }
    });
    yield();
    scope.cancel();
    scope.await_completion();
    EXPECT_EQ(cleaned, 1);
  });
}

TEST_P(TaskScopeTest, ForcedShutdownFinishesAllCoroutines) {
  int live = 0;
  RuntimeOptions options;
  options.shutdown_timeout = 5ms;
  run(
      [&] {
        spawn([&] {
          TaskScope tasks;
          tasks.spawn([&] { finish_with_delay(live); });
          tasks.spawn([] {
            try {
              delay(1h);
            } catch (const Cancelled&) {
              delay(1h);  // until the shutdown is forced
            }
          });
          tasks.join();
        });
        delay(1ms);
        shut_down();
      },
      options);
  EXPECT_EQ(live, 0);
}

// DLK-01 SHU-02
TEST_P(TaskScopeTest, DeadlockInDestructorShutsRuntimeDown) {
  int ended = 0;
  EXPECT_THROW(run([&] {
                 Promise<void> never;
                 TaskScope tasks;
                 tasks.spawn([&] {
                   struct End {
                     int& count;
                     ~End() { ++count; }
                   } end{ended};
                   protect([&] { await(never.future()); });
                 });
                 yield();
               }),
               DeadlockError);
  EXPECT_EQ(ended, 1);
}

// SHU-02 SHU-03
TEST_P(TaskScopeTest, DestructorDoesNotWaitForAbandonedCoroutine) {
  for (const bool unwinds : {false, true}) {
    ScopedLeakCheckDisable no_leak_check;
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      try {
        TaskScope tasks;
        tasks.spawn(&ignore_cancellation_forever);
        yield();
        shut_down();
        if (unwinds) tasks.join();
      } catch (const Cancelled&) {
      }
    });
    EXPECT_EQ(runtime->leak_report().coroutines, 1u);
  }
}

}  // namespace
}  // namespace trueasync::test
