// Concurrent iteration: how many coroutines it takes, how many calls at a time, and that no element is lost.
#include "trueasync/iterate.hpp"

#include <set>

#include "unit/groups/generator.hpp"
#include "unit/groups/iterating.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Iterate : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Iterate);

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
    const Coroutine caller = current_coroutine();
    std::vector<int> order;
    iterate(numbers(4), [&](int value) {
      if (value != 1) return order.push_back(value);
      EXPECT_TRUE(current_coroutine() == caller);  // two calls had not suspended
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
  run([] {
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

TEST_P(Iterate, NestsInItself) {
  run([] {
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

}  // namespace
}  // namespace trueasync::test
