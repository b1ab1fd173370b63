// The order in which ready coroutines run.
#include <numeric>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class RunOrder : public ReactorTest {};

// SCH-08
TEST_P(RunOrder, ReadyQueueKeepsFifoOrderWhenItGrows) {
  run([] {
    constexpr int kMany = 10000;
    std::vector<int> order;
    for (int i = 0; i < kMany; ++i) spawn([&, i] { order.push_back(i); });
    yield();
    std::vector<int> expected(kMany);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(order, expected);
  });
}

// SCH-08
TEST_P(RunOrder, WrappedReadyQueueKeepsFifoOrderWhenItGrows) {
  run([] {
    std::vector<int> order;
    std::vector<int> expected;
    int next = 0;
    // Head and tail wrap around several times before the ring grows.
    for (int burst : {40, 50, 63, 64, 65, 200, 700}) {
      for (int i = 0; i < burst; ++i) {
        expected.push_back(next);
        spawn([&order, number = next++] { order.push_back(number); });
      }
      yield();
    }
    EXPECT_EQ(order, expected);
  });
}

TEST_P(RunOrder, YieldRunsEveryReadyCoroutineOnce) {
  run([] {
    std::string order;
    for (char letter : {'a', 'b', 'c'}) {
      spawn([&, letter] {
        for (int i = 0; i < 3; ++i) {
          order += letter;
          yield();
        }
      });
    }
    for (int i = 0; i < 4; ++i) {
      order += '.';
      yield();
    }
    EXPECT_EQ(order, ".abc.abc.abc.");
  });
}

// PRI-01
TEST_P(RunOrder, PriorityValuesAreZeroAnd255) {
  EXPECT_EQ(static_cast<int>(Priority::normal), 0);
  EXPECT_EQ(static_cast<int>(Priority::high), 255);
}

// PRI-01
TEST_P(RunOrder, HighPriorityIsSpawnedAtHead) {
  run([] {
    std::string order;
    spawn([&] { order += 'a'; });
    spawn([&] { order += 'b'; });
    spawn({.priority = Priority::high}, [&] { order += 'h'; });
    // Goes to the head, before the coroutine of high priority spawned earlier.
    spawn({.priority = Priority::high}, [&] { order += 'H'; });
    yield();
    EXPECT_EQ(order, "Hhab");
  });
}

// PRI-01
TEST_P(RunOrder, HighPriorityIsWokenAtHead) {
  run([] {
    std::string order;
    auto event = ManualEvent::make();
    auto waiter = spawn({.priority = Priority::high}, [&] {
      Event* events[] = {event.get()};
      for (int i = 0; i < 3; ++i) {
        wait_any(events);
        order += 'h';
      }
    });
    yield();
    for (int i = 0; i < 3; ++i) {
      spawn([&] { order += 'n'; });
      event->fire();
      yield();
    }
    EXPECT_EQ(order, "hnhnhn");
  });
}

// PRI-01
TEST_P(RunOrder, HighPriorityYieldsToEndOfQueue) {
  // At the head of the queue it would run again immediately and starve all other coroutines.
  run([] {
    std::string order;
    spawn({.priority = Priority::high}, [&] {
      order += 'h';
      yield();
      order += 'h';
    });
    spawn([&] { order += 'n'; });
    yield();
    yield();
    EXPECT_EQ(order, "hnh");
  });
}

// R1
TEST_P(RunOrder, AwaiterRunsAfterEarlierReadyCoroutines) {
  // A wake appends to the ready queue.
  run([] {
    std::string order;
    auto task = spawn([&] { order += 't'; });
    spawn([&] { order += 'o'; });
    await(task);
    order += 'm';
    EXPECT_EQ(order, "tom");
  });
}

TEST_P(RunOrder, EqualDelaysEndInStartOrder) {
  run([] {
    std::string order;
    std::vector<Task<void>> tasks;
    for (char letter : {'a', 'b', 'c', 'd'}) {
      tasks.push_back(spawn([&, letter] {
        delay(3ms);
        order += letter;
      }));
    }
    for (auto& task : tasks) await(task);
    EXPECT_EQ(order, "abcd");
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(RunOrder);

}  // namespace
}  // namespace trueasync::test
