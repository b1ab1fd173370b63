// The scope object that leaves nobody behind.
#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class TaskScopes : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(TaskScopes);

// Ends only after some time, even when cancelled, and touches its maker's frame to the end.
void linger(int& alive) {
  struct Count {
    int& count;
    explicit Count(int& c) : count(c) { ++count; }
    ~Count() {
      delay(2ms);
      --count;
    }
  } here(alive);
  delay(1h);
}

TEST_P(TaskScopes, JoinWaitsForAll) {
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

TEST_P(TaskScopes, TheDestructorCancelsAndWaits) {
  run([] {
    int alive = 0;
    {
      TaskScope tasks;
      tasks.spawn([&] { linger(alive); });
      tasks.spawn([&] { spawn([&] { linger(alive); }); });
      delay(1ms);
      EXPECT_EQ(alive, 2);
    }
    EXPECT_EQ(alive, 0);
  });
}

TEST_P(TaskScopes, AlsoWhileAnExceptionUnwinds) {
  run([] {
    int alive = 0;
    try {
      TaskScope tasks;
      tasks.spawn([&] { linger(alive); });
      yield();
      throw std::runtime_error("out");
    } catch (const std::runtime_error&) {
      EXPECT_EQ(alive, 0);
    }
  });
}

TEST_P(TaskScopes, AlsoWhenItsMakerIsCancelled) {
  // CA-01
  run([] {
    int alive = 0;
    auto maker = spawn([&] {
      TaskScope tasks;
      tasks.spawn([&] { linger(alive); });
      tasks.join();
    });
    delay(1ms);
    maker.cancel();
    EXPECT_THROW(await(maker), Cancelled);
    EXPECT_EQ(alive, 0);
  });
}

TEST_P(TaskScopes, ACancellationDuringTheDestructorComesAfterIt) {
  // CA-06
  run([] {
    int alive = 0;
    bool after = false;
    auto maker = spawn([&] {
      {
        TaskScope tasks;
        tasks.spawn([&] { linger(alive); });
        yield();
      }
      after = true;
      yield();
      ADD_FAILURE();
    });
    delay(1ms);
    maker.cancel();
    EXPECT_THROW(await(maker), Cancelled);
    EXPECT_TRUE(after);
    EXPECT_EQ(alive, 0);
  });
}

TEST_P(TaskScopes, AnErrorCancelsTheOthersAtOnceAndIsJoins) {
  run([] {
    TaskScope tasks;
    auto failing = tasks.spawn([] { throw std::runtime_error("broken"); });
    auto other = tasks.spawn([] { delay(1h); });
    EXPECT_THROW(tasks.join(), std::runtime_error);
    EXPECT_TRUE(other.is_cancelled());
    EXPECT_THROW(await(failing), std::runtime_error) << "a held task still tells";
    tasks.join();
  });
}

TEST_P(TaskScopes, AHandlerMakesASupervisorOfItToo) {
  run([] {
    int heard = 0;
    TaskScope tasks;
    tasks.scope().set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++heard; });
    auto other = tasks.spawn([] { delay(2ms); });
    tasks.spawn([] { throw std::runtime_error("broken"); });
    tasks.join();
    EXPECT_EQ(heard, 1);
    EXPECT_FALSE(other.is_cancelled());
  });
}

TEST_P(TaskScopes, AnErrorThatJoinNeverThrewGoesUp) {
  run([] {
    int heard = 0;
    Scope outer = Scope::inherit();
    outer.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++heard; });
    outer.spawn([] {
      TaskScope tasks;
      tasks.spawn([] { throw std::runtime_error("broken"); });
      yield();
    });
    outer.await_completion();
    EXPECT_EQ(heard, 1);
  });
}

TEST_P(TaskScopes, CleanupOfACancelledCoroutineMayUseOne) {
  // CA-01
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

TEST_P(TaskScopes, AForcedEndLeavesNobodyBehindEither) {
  int alive = 0;
  RuntimeOptions options;
  options.shutdown_timeout = 5ms;
  run(
      [&] {
        spawn([&] {
          TaskScope tasks;
          tasks.spawn([&] { linger(alive); });
          tasks.spawn([] {
            try {
              delay(1h);
            } catch (const Cancelled&) {
              delay(1h);  // until it is forced
            }
          });
          tasks.join();
        });
        delay(1ms);
        shut_down();
      },
      options);
  EXPECT_EQ(alive, 0);
}

TEST_P(TaskScopes, WhoCantEndByThemselvesEndWithTheProgram) {
  // DLK-01 SHU-02
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

TEST_P(TaskScopes, OneThatWasGivenUpIsNotWaitedFor) {
  // SHU-02 SHU-03: with a maker that unwinds, and one that does not.
  for (const bool unwinds : {false, true}) {
    ScopedLeakCheckDisable forgiven;
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
