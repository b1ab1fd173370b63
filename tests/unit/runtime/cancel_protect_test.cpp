// protect(): defers the delivery of cancellation.
#include <gtest/gtest.h>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class CancelProtect : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelProtect);

// CXL-03 CA-06
TEST_P(CancelProtect, CancellationIsDeliveredAfterBlock) {
  run([] {
    std::vector<int> steps;
    auto task = spawn([&] {
      protect([&] {
        steps.push_back(1);
        delay(1ms);
        yield();
        steps.push_back(2);
      });
      steps.push_back(3);
    });
    yield();
    EXPECT_TRUE(task.cancel());
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(steps, (std::vector<int>{1, 2}));
    EXPECT_TRUE(task.is_cancelled());
  });
}

// CA-06
TEST_P(CancelProtect, NestedBlockDefersUntilOuterBlockEnds) {
  run([] {
    int reached = 0;
    auto task = spawn([&] {
      protect([&] {
        protect([&] { delay(1ms); });
        reached = 1;
        delay(1ms);
        reached = 2;
      });
      reached = 3;
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(reached, 2);
  });
}

TEST_P(CancelProtect, ReturnsValueWithoutCancellation) {
  run([] {
    auto moved = protect([] { return std::make_unique<int>(4); });
    EXPECT_EQ(*moved, 4);
    auto task = spawn([] {
      return protect([] {
        delay(1ms);
        return 5;
      });
    });
    EXPECT_EQ(await(task), 5);
  });
}

// CA-06
TEST_P(CancelProtect, ErrorOfBlockPrecedesCancellation) {
  run([] {
    bool saw_error = false;
    auto task = spawn([&] {
      try {
        protect([] {
          delay(1ms);
          throw std::runtime_error("block");
        });
      } catch (const std::runtime_error&) {
        saw_error = true;
      }
      yield();
      ADD_FAILURE() << "the suspension must throw the deferred cancellation";
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_TRUE(saw_error);
  });
}

// CA-06
TEST_P(CancelProtect, BlockInCleanupFinishes) {
  // Cleanup code may use protect() while the coroutine is being cancelled.
  run([] {
    int steps = 0;
    auto task = spawn([&] {
      try {
        delay(24h);
      } catch (const Cancelled&) {
        protect([&] {
          delay(1ms);
          ++steps;
        });
        ++steps;
        throw;
      }
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(steps, 2);
  });
}

// CXL-03
TEST_P(CancelProtect, RequestDuringBlockIsDeferred) {
  run([] {
    std::vector<std::string> order;
    auto task = spawn([&] {
      protect([&] {
        for (int i = 0; i < 3; ++i) yield();
        order.push_back("block finished");
      });
    });
    yield();
    task.cancel();
    order.push_back("requested");
    EXPECT_TRUE(task.coroutine().is_cancellation_requested());
    EXPECT_THROW(await(task), Cancelled);
    order.push_back("cancelled");
    EXPECT_EQ(order, (std::vector<std::string>{"requested", "block finished", "cancelled"}));
  });
}

}  // namespace
}  // namespace trueasync::test
