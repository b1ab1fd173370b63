// Concurrent iteration: how many coroutines it takes, how many calls at a time, and that no element is lost.
#include "trueasync/iterate.hpp"

#include <numeric>
#include <set>

#include "support/worlds.hpp"
#include "trueasync/await.hpp"
#include "trueasync/scope.hpp"
#include "unit/groups/generator.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Iterate : public OnBothWorlds {
 protected:
  std::vector<int> numbers(int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
};

// Counts how many calls are under way.
struct Load {
  struct Call {
    Load& load;
    explicit Call(Load& counted) : load(counted) { load.highest = std::max(load.highest, ++load.now); }
    ~Call() { --load.now; }
  };
  int now = 0;
  int highest = 0;
};

TEST_P(Iterate, MakesNoCoroutineWhenNoCallSuspends) {
  // MIC-05
  run([this] {
    const auto before = runtime().statistics();
    int sum = 0;
    iterate(numbers(1000), [&](int value) { sum += value; });
    EXPECT_EQ(sum, 499500);
    EXPECT_EQ(runtime().statistics().spawned, before.spawned);
    EXPECT_EQ(runtime().statistics().switches, before.switches);
  });
}

TEST_P(Iterate, MovesOnInAnotherCoroutineWhenACallSuspends) {
  // MIC-05
  run([this] {
    const auto before = runtime().statistics();
    const Coroutine caller = current();
    std::vector<int> order;
    iterate(numbers(4), [&](int value) {
      if (value != 1) return order.push_back(value);
      EXPECT_TRUE(current() == caller);  // two calls had not suspended
      delay(1ms);
      order.push_back(value);
    });
    EXPECT_EQ(order, (std::vector{0, 2, 3, 1}));
    EXPECT_EQ(runtime().statistics().spawned - before.spawned, 1u);
  });
}

TEST_P(Iterate, RunsAsManyCallsAtATimeAsAllowedAndLosesNone) {
  // AW-10 AW-11
  run([this] {
    for (int limit = 1; limit <= 7; ++limit) {
      const auto before = runtime().statistics();
      Load load;
      std::set<int> seen;
      iterate(numbers(20),
              [&](int value) {
                Load::Call call(load);
                delay(std::chrono::microseconds(100 + 37 * (value % 5)));
                seen.insert(value);
              },
              {.concurrency = static_cast<std::size_t>(limit)});
      EXPECT_EQ(load.highest, limit);
      EXPECT_EQ(seen.size(), 20u);
      EXPECT_LE(runtime().statistics().spawned - before.spawned, 20u);
      if (limit == 1) {
        EXPECT_EQ(runtime().statistics().spawned, before.spawned);
      }
    }
  });
}

TEST_P(Iterate, IsConcurrentOverALazySequenceOfMoveOnlyValues) {
  // AW-10 AW-12
  run([] {
    int made = 0;
    Generator source([&]() -> std::optional<std::unique_ptr<int>> {
      if (made == 10) return std::nullopt;
      return std::make_unique<int>(made++);
    });
    Load load;
    int sum = 0;
    iterate(source,
            [&](std::unique_ptr<int> value, std::size_t number) {
              Load::Call call(load);
              delay(1ms);
              EXPECT_EQ(static_cast<std::size_t>(*value), number);
              sum += *value;
            },
            {.concurrency = 4});
    EXPECT_EQ(load.highest, 4);
    EXPECT_EQ(sum, 45);
  });
}

TEST_P(Iterate, ElementsOfAContainerArePassedAsTheyLieThere) {
  // AW-12
  run([this] {
    auto values = numbers(5);
    iterate(values, [](int& value) {
      yield();
      value *= 2;
    });
    EXPECT_EQ(values, (std::vector{0, 2, 4, 6, 8}));
  });
}

TEST_P(Iterate, OneCoroutineAtATimeAdvancesASourceThatSuspends) {
  // AW-13
  run([] {
    int made = 0;
    int advancing = 0;
    Generator source([&]() -> std::optional<int> {
      EXPECT_EQ(++advancing, 1);
      delay(300us);
      --advancing;
      if (made == 12) return std::nullopt;
      return made++;
    });
    std::vector<int> order;
    Load load;
    iterate(source, [&](int value) {
      Load::Call call(load);
      delay(std::chrono::microseconds(value % 3 == 0 ? 1000 : 100));
      order.push_back(value);
    });
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), 12u);
    EXPECT_EQ(order.back(), 11);
    EXPECT_GE(load.highest, 2);
  });
}

TEST_P(Iterate, TheCallerGetsTheSourcesException) {
  // AW-13
  run([] {
    int made = 0;
    Generator source([&]() -> std::optional<int> {
      if (made == 3) throw std::logic_error("source");
      return made++;
    });
    int ended = 0;
    EXPECT_THROW(iterate(source,
                         [&](int) {
                           struct Ended {
                             int& count;
                             ~Ended() { ++count; }
                           } on_end{ended};
                           delay(1h);
                         }),
                 std::logic_error);
    EXPECT_EQ(ended, 3);  // all calls had ended when it was thrown
  });
}

TEST_P(Iterate, ACallThatReturnsFalseStopsItAndCancelsThoseThatWait) {
  run([this] {
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
    EXPECT_EQ(cancelled, 3);  // the caller's own call among them
    delay(1ms);               // and the caller goes on as if nothing had happened
    EXPECT_FALSE(current().is_cancellation_requested());
  });
}

TEST_P(Iterate, ACallThatReturnsFalseMayLetTheOthersFinish) {
  run([this] {
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

TEST_P(Iterate, TheFirstErrorStopsItAndIsThrownWhenAllCallsHaveEnded) {
  run([this] {
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
    EXPECT_EQ(load.now, 0);
    EXPECT_EQ(started.size(), 5u);
  });
}

// What it has promised can't be handed on.
class Stubborn final : public Event {
 public:
  void fire() { notify({}); }
  std::string describe() const override { return "a stubborn event"; }
  bool reclaim(Subscription&) noexcept override { return false; }
};

TEST_P(Iterate, TheCallersCallEndsAtItsNextWaitIfItHadJustBeenWoken) {
  // R1
  run([] {
    auto event = Ref<Stubborn>::adopt(new Stubborn);
    int woken = 0;
    int finished = 0;
    iterate(std::vector{0, 1}, [&](int value) {
      if (value == 1) {
        event->fire();  // the caller's call has what it waited for …
        return false;   // … when the iteration is stopped
      }
      Event* events[] = {event.get()};
      wait_any(events);
      ++woken;
      delay(1h);
      ++finished;
      return true;
    });
    EXPECT_EQ(woken, 1);
    EXPECT_EQ(finished, 0);
  });
}

TEST_P(Iterate, ACancelledCallerLeavesWhenItsCallsHaveEnded) {
  // CA-04
  run([this] {
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
    EXPECT_EQ(load.now, 5);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(load.now, 0);
  });
}

TEST_P(Iterate, ACallerCancelledWhileItWaitsForTheOthersCancelsThem) {
  // CA-04
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
    EXPECT_EQ(load.now, 2);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(load.now, 0);
  });
}

TEST_P(Iterate, AShutdownEndsItWithNothingLeft) {
  run([this] {
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

TEST_P(Iterate, WhatCallsSpawnIsAwaitedInAChildScope) {
  run([this] {
    const Scope outside = Scope::current();
    int ended = 0;
    iterate(numbers(3), [&](int value) {
      if (value == 1) yield();  // the last call is another coroutine's
      spawn([&] {
        EXPECT_FALSE(Scope::current() == outside);
        EXPECT_TRUE(Scope::current().parent() == outside);
        delay(1ms);
        ++ended;
      });
    });
    EXPECT_EQ(ended, 3);
    EXPECT_TRUE(Scope::current() == outside);
    EXPECT_TRUE(outside.children().empty());
  });
}

TEST_P(Iterate, MakesNoScopeWhenNothingIsSpawned) {
  run([this] {
    const Scope outside = Scope::current();
    iterate(numbers(3), [&](int) {
      iterate(numbers(2), [&](int) { delay(1ms); });
      EXPECT_TRUE(outside.children().empty());
    });
  });
}

TEST_P(Iterate, StoppingItCancelsWhatCallsHaveSpawned) {
  run([this] {
    int cancelled = 0;
    iterate(numbers(3), [&](int value) {
      spawn([&] {
        try {
          delay(1h);
        } catch (const Cancelled&) {
          ++cancelled;
          throw;
        }
      });
      yield();
      return value != 2;
    });
    EXPECT_EQ(cancelled, 3);
  });
}

TEST_P(Iterate, AnErrorOfSomethingSpawnedStopsItAndIsThrown) {
  run([this] {
    int ended = 0;
    try {
      iterate(numbers(2), [&](int value) {
        if (value == 1) {
          spawn([] {
            delay(1ms);
            throw std::runtime_error("spawned");
          });
        }
        try {
          delay(1h);
        } catch (const Cancelled&) {
          ++ended;
          throw;
        }
      });
      ADD_FAILURE();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "spawned");
    }
    EXPECT_EQ(ended, 2);
    EXPECT_FALSE(Scope::current().is_cancelled());
  });
}

TEST_P(Iterate, ACancelledCallerTakesAlongWhatCallsHaveSpawned) {
  // CA-04
  run([] {
    int ended = 0;
    auto task = spawn([&] {
      iterate(std::vector{0}, [&](int) {
        spawn([&] {
          try {
            delay(1h);
          } catch (const Cancelled&) {
            delay(1ms);
            ++ended;
            throw;
          }
        });
      });
    });
    delay(1ms);
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(ended, 1);
  });
}

TEST_P(Iterate, LaterErrorsAreNotLost) {
  // SC-08
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

TEST_P(Iterate, ErrorsBesidesACancellationGoToTheScope) {
  run([] {
    std::vector<std::string> heard;
    Scope scope = Scope::inherit();
    scope.set_exception_handler([&](const std::exception_ptr& error, const Coroutine&) {
      try {
        std::rethrow_exception(error);
      } catch (const std::runtime_error& told) {
        heard.push_back(told.what());
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
    EXPECT_EQ(heard, (std::vector<std::string>{"cleanup"}));
  });
}

TEST_P(Iterate, NestsInItself) {
  run([this] {
    int calls = 0;
    iterate(numbers(5),
            [&](int) {
              iterate(numbers(5), [&](int) {
                delay(1ms);
                ++calls;
              });
            },
            {.concurrency = 2});
    EXPECT_EQ(calls, 25);
    iterate(numbers(0), [&](int) { ++calls; });
    EXPECT_EQ(calls, 25);
  });
}

TRUEASYNC_ON_BOTH_WORLDS(Iterate);

}  // namespace
}  // namespace trueasync::test
