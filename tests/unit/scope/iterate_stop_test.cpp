// iterate(): stopped before the end of the range by a callback, an error or a cancellation.
#include "trueasync/error.hpp"
#include "trueasync/scope/iterate.hpp"
#include "trueasync/scope/scope.hpp"
#include "unit/scope/iterate_support.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class IterateStopTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(IterateStopTest);

TEST_P(IterateStopTest, ReturningFalseStopsAndCancelsPendingCalls) {
  run([] {
    std::vector<int> started;
    int cancelled = 0;
    iterate(numbers(10), [&](int value) {
      started.push_back(value);
      if (value == 3) return false;
      try {
        delay(1h);
      } catch (const Cancelled&) {
        ++cancelled;
        yield();  // cleanup may suspend
        throw;
      }
      return true;
    });
    EXPECT_EQ(started, (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(cancelled, 3);  // including the call in the caller's coroutine
    delay(1ms);               // the caller itself is not cancelled
    EXPECT_FALSE(current_coroutine().is_cancellation_requested());
  });
}

TEST_P(IterateStopTest, ReturningFalseCanWaitForPendingCalls) {
  run([] {
    int finished = 0;
    iterate(numbers(10),
            [&](int value) {
              if (value == 3) return false;
              delay(1ms);
              ++finished;
              return true;
            },
            {.pending = PendingCalls::wait});
    EXPECT_EQ(finished, 3);
  });
}

TEST_P(IterateStopTest, FirstErrorIsThrownAfterAllCallsFinished) {
  run([] {
    Load load;
    std::vector<int> started;
    try {
      iterate(numbers(10),
              [&](int value) {
                Load::Call call(load);
                started.push_back(value);
                delay(value == 2 ? 1ms : 1h);
                throw std::runtime_error("number " + std::to_string(value));
              },
              {.concurrency = 5});
      ADD_FAILURE();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "number 2");
    }
    EXPECT_EQ(load.current, 0);
    EXPECT_EQ(started.size(), 5u);
  });
}

// CA-04
TEST_P(IterateStopTest, CancelledCallerWaitsForItsCalls) {
  run([] {
    Load load;
    auto task = spawn([&] {
      iterate(numbers(5), [&](int) {
        Load::Call call(load);
        try {
          delay(1h);
        } catch (const Cancelled&) {
          delay(1ms);
          throw;
        }
      });
    });
    delay(1ms);
    EXPECT_EQ(load.current, 5);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(load.current, 0);
  });
}

// CA-04
TEST_P(IterateStopTest, CallerCancelledDuringJoinCancelsWorkers) {
  run([] {
    Load load;
    auto task = spawn([&] {
      iterate(std::vector{0, 1, 2}, [&](int value) {
        Load::Call call(load);
        if (value == 0) return yield();
        delay(1h);
      });
    });
    delay(1ms);
    EXPECT_EQ(load.current, 2);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(load.current, 0);
  });
}

TEST_P(IterateStopTest, ShutdownEndsAllCalls) {
  run([] {
    int ended = 0;
    spawn([&] {
      delay(1ms);
      shut_down();
    });
    EXPECT_THROW(iterate(numbers(50),
                         [&](int) {
                           struct Ended {
                             int& count;
                             ~Ended() { ++count; }
                           } on_end{ended};
                           delay(1h);
                         }),
                 Cancelled);
    EXPECT_EQ(ended, 50);
  });
}

// SC-08
TEST_P(IterateStopTest, LaterErrorsAreCombined) {
  for (PendingCalls pending : {PendingCalls::cancel, PendingCalls::wait}) {
    run([&] {
      try {
        iterate(numbers(3),
                [&](int value) {
                  if (value == 2) return false;
                  try {
                    delay(std::chrono::milliseconds(1 + value));
                  } catch (const Cancelled&) {
                  }
                  throw std::runtime_error("number " + std::to_string(value));
                },
                {.pending = pending});
        ADD_FAILURE();
      } catch (const CompositeError& error) {
        EXPECT_EQ(error.errors().size(), 2u);
      }
    });
  }
}

TEST_P(IterateStopTest, ErrorsBesidesCancellationGoToScope) {
  run([] {
    std::vector<std::string> messages;
    Scope scope = Scope::inherit();
    scope.set_exception_handler([&](const std::exception_ptr& error, const Coroutine&) {
      try {
        std::rethrow_exception(error);
      } catch (const std::runtime_error& caught) {
        messages.push_back(caught.what());
      }
    });
    auto task = scope.spawn([] {
      iterate(std::vector{0, 1}, [](int value) {
        try {
          delay(1h);
        } catch (const Cancelled&) {
          if (value == 1) throw std::runtime_error("cleanup");
          throw;
        }
      });
    });
    delay(1ms);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(messages, (std::vector<std::string>{"cleanup"}));
  });
}

// CA-03
TEST_P(IterateStopTest, FiredTokenIsAnError) {
  run([] {
    EXPECT_THROW(iterate(numbers(2),
                         [&](int value) {
                           if (value == 1) return false;
                           await(spawn([] { protect([] { delay(2ms); }); }), timeout(1ms));
                           return true;
                         },
                         {.pending = PendingCalls::wait}),
                 OperationCancelled);
  });
}

}  // namespace
}  // namespace trueasync::test
