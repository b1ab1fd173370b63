// The child scope of iterate(): coroutines spawned by callbacks, and the scope's effect on the calls.
#include "trueasync/scope/iterate.hpp"
#include "trueasync/scope/scope.hpp"
#include "unit/scope/iterate_support.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class IterateScopeTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(IterateScopeTest);

TEST_P(IterateScopeTest, SpawnedCoroutinesAreAwaitedInChildScope) {
  run([] {
    const ScopeRef parent = Scope::current();
    int ended = 0;
    iterate(numbers(3), [&](int value) {
      if (value == 1) yield();  // another coroutine makes the last call
      spawn([&] {
        EXPECT_FALSE(Scope::current() == parent);
        EXPECT_TRUE(Scope::current().parent() == parent);
        delay(1ms);
        ++ended;
      });
    });
    EXPECT_EQ(ended, 3);
    EXPECT_TRUE(Scope::current() == parent);
    EXPECT_TRUE(parent.children().empty());
  });
}

TEST_P(IterateScopeTest, CreatesNoScopeIfNothingIsSpawned) {
  run([] {
    const ScopeRef parent = Scope::current();
    iterate(numbers(3), [&](int) {
      iterate(numbers(2), [&](int) { delay(1ms); });
      EXPECT_TRUE(parent.children().empty());
    });
  });
}

TEST_P(IterateScopeTest, StopCancelsSpawnedCoroutines) {
  run([] {
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

TEST_P(IterateScopeTest, ErrorOfSpawnedCoroutineStopsAndIsThrown) {
  run([] {
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

// CA-04
TEST_P(IterateScopeTest, CancelledCallerCancelsSpawnedCoroutines) {
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

// SC-14
TEST_P(IterateScopeTest, ZombieCallerAwaitsSpawnedCoroutines) {
  run([] {
    Scope scope = Scope::inherit();
    int ended = 0;
    bool returned = false;
    auto caller = scope.spawn([&] {
      iterate(numbers(1), [&](int) {
        spawn([&] {
          delay(2ms);
          ++ended;
        });
      });
      EXPECT_EQ(ended, 1);
      returned = true;
    });
    delay(1ms);
    scope.dispose_safely();
    await(caller);
    EXPECT_TRUE(returned);
  });
}

// CXL-01
TEST_P(IterateScopeTest, CancelOfScopeEndsCalls) {
  run([] {
    Load load;
    int started = 0;
    EXPECT_THROW(iterate(numbers(5),
                         [&](int value) {
                           Load::Call call(load);
                           ++started;
                           if (value == 3) Scope::current().cancel();
                           delay(200ms);
                           ADD_FAILURE();
                         }),
                 Cancelled);
    EXPECT_EQ(started, 4);
    EXPECT_EQ(load.current, 0);
    EXPECT_FALSE(current_coroutine().is_cancellation_requested());
    delay(1ms);
  });
}

TEST_P(IterateScopeTest, DeadlineOfScopeAppliesToCalls) {
  run([] {
    int expired = 0;
    EXPECT_THROW(iterate(numbers(3),
                         [&](int) {
                           Scope::current().set_timeout(2ms);
                           try {
                             delay(200ms);
                           } catch (const DeadlineError&) {
                             ++expired;
                             delay(1ms);  // cleanup may suspend
                             throw;
                           }
                         }),
                 DeadlineError);
    EXPECT_EQ(expired, 3);
    EXPECT_FALSE(remaining_time());
    delay(1ms);  // the deadline does not apply to the caller any more
  });
}

TEST_P(IterateScopeTest, SpawnedActionCancelCancelsAtEnd) {
  run([] {
    int started = 0, cancelled = 0;
    iterate(numbers(3),
            [&](int) {
              spawn([&] {
                ++started;
                try {
                  delay(1h);
                } catch (const Cancelled&) {
                  ++cancelled;
                  throw;
                }
              });
            },
            {.spawned = SpawnedAction::cancel});
    EXPECT_EQ(started, 3);
    EXPECT_EQ(cancelled, 3);
    yield();  // the caller was not cancelled
  });
}

TEST_P(IterateScopeTest, CancelOfCallerCancelsStartingCoroutines) {
  run([] {
    int ended = 0;
    Task<void> caller = spawn([&] {
      iterate(numbers(2),
              [&](int) {
                spawn([&] {
                  const Coroutine self = current_coroutine();
                  try {
                    delay(1h);
                  } catch (const Cancelled&) {
                    ++ended;
                    throw;
                  }
                });
              },
              {.spawned = SpawnedAction::cancel});
    });
    yield();
    caller.cancel();
    EXPECT_THROW(await(caller), Cancelled);
    EXPECT_EQ(ended, 2);
  });
}

}  // namespace
}  // namespace trueasync::test
