// iterate(): the number of coroutines and of concurrent calls, and that every element is visited.
#include "trueasync/scope/iterate.hpp"

#include <set>

#include "unit/scope/generator.hpp"
#include "unit/scope/iterate_support.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class IterateTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(IterateTest);

// MIC-05
TEST_P(IterateTest, CreatesNoCoroutineIfNoCallSuspends) {
  run([this] {
    const auto before = runtime().statistics();
    int sum = 0;
    iterate(numbers(1000), [&](int value) { sum += value; });
    EXPECT_EQ(sum, 499500);
    EXPECT_EQ(runtime().statistics().spawned, before.spawned);
    EXPECT_EQ(runtime().statistics().switches, before.switches);
  });
}

// MIC-05
TEST_P(IterateTest, ContinuesInAnotherCoroutineWhenCallSuspends) {
  run([this] {
    const auto before = runtime().statistics();
    const Coroutine caller = current_coroutine();
    std::vector<int> order;
    iterate(numbers(4), [&](int value) {
      if (value != 1) return order.push_back(value);
      EXPECT_TRUE(current_coroutine() == caller);  // the first calls did not suspend
      delay(1ms);
      order.push_back(value);
    });
    EXPECT_EQ(order, (std::vector{0, 2, 3, 1}));
    EXPECT_EQ(runtime().statistics().spawned - before.spawned, 1u);
  });
}

// AW-10 AW-11
TEST_P(IterateTest, RunsUpToConcurrencyLimitWithoutLoss) {
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
      EXPECT_EQ(load.max, limit);
      EXPECT_EQ(seen.size(), 20u);
      EXPECT_LE(runtime().statistics().spawned - before.spawned, 20u);
      if (limit == 1) {
        EXPECT_EQ(runtime().statistics().spawned, before.spawned);
      }
    }
  });
}

// AW-10 AW-12
TEST_P(IterateTest, IteratesLazyRangeOfMoveOnlyValues) {
  run([] {
    int produced = 0;
    Generator source([&]() -> std::optional<std::unique_ptr<int>> {
      if (produced == 10) return std::nullopt;
      return std::make_unique<int>(produced++);
    });
    Load load;
    int sum = 0;
    iterate(source,
            [&](std::unique_ptr<int> value, std::size_t index) {
              Load::Call call(load);
              delay(1ms);
              EXPECT_EQ(static_cast<std::size_t>(*value), index);
              sum += *value;
            },
            {.concurrency = 4});
    EXPECT_EQ(load.max, 4);
    EXPECT_EQ(sum, 45);
  });
}

// AW-12
TEST_P(IterateTest, ContainerElementsArePassedByReference) {
  run([] {
    auto values = numbers(5);
    iterate(values, [](int& value) {
      yield();
      value *= 2;
    });
    EXPECT_EQ(values, (std::vector{0, 2, 4, 6, 8}));
  });
}

// AW-13
TEST_P(IterateTest, SuspendingRangeIsAdvancedByOneCoroutine) {
  run([] {
    int produced = 0;
    int advancing = 0;
    Generator source([&]() -> std::optional<int> {
      EXPECT_EQ(++advancing, 1);
      delay(300us);
      --advancing;
      if (produced == 12) return std::nullopt;
      return produced++;
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
    EXPECT_GE(load.max, 2);
  });
}

// AW-13
TEST_P(IterateTest, RangeExceptionIsThrownToCaller) {
  run([] {
    int produced = 0;
    Generator source([&]() -> std::optional<int> {
      if (produced == 3) throw std::logic_error("source");
      return produced++;
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
    EXPECT_EQ(ended, 3);  // all calls had finished when the error was thrown
  });
}

TEST_P(IterateTest, NestedAndEmptyIterationsWork) {
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
