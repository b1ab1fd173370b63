#include "trueasync/sync/future.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "event/waker.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class FutureTest : public test::ReactorTest {};

std::exception_ptr make_error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

// R3 AW-02
TEST_P(FutureTest, EveryAwaiterGetsValue) {
  run([&] {
    Promise<std::string> promise;
    int awaited = 0;
    std::vector<Task<void>> waiters;
    for (int i = 0; i < 3; ++i) {
      waiters.push_back(spawn([&, future = promise.future()] {
        EXPECT_EQ(await(future), "ready");
        ++awaited;
      }));
    }
    yield();
    promise.complete("ready");
    for (auto& waiter : waiters) await(waiter);
    EXPECT_EQ(awaited, 3);
  });
}

// AW-01 SUS-02
TEST_P(FutureTest, AwaitOfSettledFutureDoesNotSwitch) {
  run([&] {
    const auto before = scheduler().statistics();
    auto future = Future<int>::completed(7);
    EXPECT_EQ(await(future), 7);
    EXPECT_EQ(await(future), 7);
    const auto after = scheduler().statistics();
    EXPECT_EQ(after.direct_switches, before.direct_switches);
    EXPECT_EQ(after.scheduler_switches, before.scheduler_switches);
  });
}

TEST_P(FutureTest, SecondCompletionThrows) {
  run([&] {
    Promise<int> promise;
    auto future = promise.future();
    promise.complete(1);
    EXPECT_THROW(promise.complete(2), FutureError);
    EXPECT_THROW(promise.fail(make_error("late")), FutureError);
    EXPECT_EQ(await(future), 1);
  });
}

TEST_P(FutureTest, EveryAwaitThrowsErrorWithItsType) {
  run([&] {
    Promise<int> promise;
    auto future = promise.future();
    promise.fail(make_error("no"));
    EXPECT_TRUE(future.is_failed());
    EXPECT_THROW(await(future), std::runtime_error);
    EXPECT_THROW(await(future), std::runtime_error);
  });
}

TEST_P(FutureTest, AwaitOfBrokenPromiseThrows) {
  run([&] {
    Future<int> future;
    {
      Promise<int> promise;
      future = promise.future();
    }
    EXPECT_THROW(await(future), BrokenPromiseError);
    Future<int> unused = Promise<int>().future();  // a broken promise without awaiters is not an unhandled error
  });
}

// AW-03
TEST_P(FutureTest, UnobservedErrorIsReportedWithLastHandle) {
  EXPECT_THROW(run([&] {
                 Promise<int> promise;
                 promise.fail(make_error("unobserved"));
               }),
               std::runtime_error);
}

// AW-03 AW-04
TEST_P(FutureTest, IgnoredOrObservedErrorIsNotReported) {
  run([&] {
    Promise<int> ignored;
    ignored.future().ignore();
    ignored.fail(make_error("ignored"));

    Promise<int> observed;
    auto future = observed.future();
    observed.fail(make_error("observed"));
    Event* events[] = {&future.event()};
    EXPECT_THROW(wait_any(events), std::runtime_error);
    Future<void>::failed(make_error("also ignored")).ignore();
  });
}

// AW-03 CXL-05
TEST_P(FutureTest, ErrorOfCancelledAwaiterIsUnhandled) {
  EXPECT_THROW(run([&] {
                 auto promise = std::make_unique<Promise<int>>();
                 auto waiter = spawn([future = promise->future()] { await(future); });
                 yield();
                 promise->fail(make_error("not delivered"));
                 waiter.cancel();
                 promise.reset();
                 yield();
               }),
               std::runtime_error);
}

// CXL-04
TEST_P(FutureTest, TokenEndsWaitButNotFuture) {
  run([&] {
    Promise<int> promise;
    auto future = promise.future();
    EXPECT_THROW(await(future, timeout(1ms)), OperationCancelled);
    promise.complete(3);
    EXPECT_EQ(await(future, timeout(0ms)), 3);
  });
}

// CA-03 AW-03
TEST_P(FutureTest, ErrorOfTokenIsObservedAsCause) {
  run([&] {
    Promise<int> never;
    try {
      Future<void> token = Future<void>::failed(make_error("enough"));
      await(never.future(), token.event());
      FAIL();
    } catch (const OperationCancelled& ended) {
      EXPECT_THROW(std::rethrow_exception(ended.cause()), std::runtime_error);
    }
    yield();  // an unobserved error would end the runtime
  });
}

TEST_P(FutureTest, PeekDoesNotObserveValue) {
  run([&] {
    Promise<int> promise;
    auto& state = promise.future().state();
    EXPECT_EQ(state.peek(), nullptr);
    promise.complete(7);
    ASSERT_NE(state.peek(), nullptr);
    EXPECT_EQ(*state.peek(), 7);
    EXPECT_FALSE(state.is_observed());
    EXPECT_EQ(await(promise.future()), 7);
    EXPECT_TRUE(state.is_observed());
  });
}

TEST_P(FutureTest, ForEachSubscriberVisitsAwaiters) {
  run([&] {
    Promise<int> promise;
    auto mapped = promise.future().map([](int value) { return value + 1; });
    auto waiter = spawn([&] { return await(promise.future()); });
    yield();
    std::vector<bool> is_coroutine;
    promise.future().event().for_each_subscriber([&](const Subscription& subscriber) {
      is_coroutine.push_back(detail::Waker::from_subscription(subscriber) != nullptr);
    });
    EXPECT_EQ(is_coroutine, (std::vector<bool>{false, true}));
    promise.complete(1);
    EXPECT_EQ(await(waiter) + await(mapped), 3);
  });
}

TEST_P(FutureTest, AwaitMovesMoveOnlyValue) {
  run([&] {
    Promise<std::unique_ptr<int>> promise;
    auto future = promise.future();
    promise.complete(std::make_unique<int>(5));
    EXPECT_EQ(*await(std::move(future)), 5);
    EXPECT_THROW(await(promise.future()), MisuseError);  // the value was moved out
  });
}

TEST_P(FutureTest, TemporaryFutureCopiesSharedValue) {
  run([&] {
    Promise<std::string> promise;
    promise.complete("shared");
    EXPECT_EQ(await(promise.future()), "shared");
    EXPECT_EQ(await(promise.future()), "shared");
  });
}

TEST_P(FutureTest, ChainsOfOneFutureAreIndependent) {
  run([&] {
    Promise<int> promise;
    auto future = promise.future();
    auto doubled = future.map([](int value) { return value * 2; });
    auto failed = future.map([](int) -> int { throw std::logic_error("callback failed"); });
    auto text = future.map([](const int& value) { return std::to_string(value); });
    promise.complete(21);
    EXPECT_THROW(await(failed), std::logic_error);
    EXPECT_EQ(await(doubled), 42);
    EXPECT_EQ(await(text), "21");
    EXPECT_EQ(await(future), 21);
  });
}

TEST_P(FutureTest, CallbackMaySuspend) {
  run([&] {
    auto late = Future<int>::completed(1).map([](int value) {
      delay(1ms);
      return value + 1;
    });
    EXPECT_FALSE(late.is_completed());
    EXPECT_EQ(await(late), 2);
  });
}

TEST_P(FutureTest, CatchErrorReplacesErrorByValue) {
  run([&] {
    auto failed = Future<int>::failed(make_error("broken"));
    EXPECT_EQ(await(failed.catch_error([](std::exception_ptr) { return -1; })), -1);
    EXPECT_EQ(await(Future<int>::completed(4).catch_error([](std::exception_ptr) { return -1; })), 4);
    auto passed = failed.map([](int) { return 0; }).map([](int) { return 0; });
    EXPECT_THROW(await(passed), std::runtime_error);
  });
}

TEST_P(FutureTest, FinallyRunsAlwaysAndForwardsResult) {
  run([&] {
    int calls = 0;
    auto count = [&] { ++calls; };
    EXPECT_EQ(await(Future<int>::completed(4).finally(count)), 4);
    EXPECT_THROW(await(Future<int>::failed(make_error("no")).finally(count)), std::runtime_error);
    EXPECT_THROW(await(Future<int>::completed(4).finally([] { throw std::logic_error("cleanup"); })), std::logic_error);
    EXPECT_EQ(calls, 2);
    await(Future<void>::completed().finally(count));
    EXPECT_EQ(calls, 3);
  });
}

TEST_P(FutureTest, ChainMovesMoveOnlyValues) {
  run([&] {
    Promise<std::unique_ptr<int>> promise;
    auto last =
        promise.future().map([](std::unique_ptr<int> value) { return std::make_unique<int>(*value + 1); }).finally([] {
        });
    promise.complete(std::make_unique<int>(1));
    EXPECT_EQ(*await(std::move(last)), 2);
  });
}

// AW-03
TEST_P(FutureTest, UnhandledErrorOfChainIsReportedOnce) {
  int reported = 0;
  RuntimeOptions options;
  options.on_unhandled = [&](Coroutine, std::exception_ptr) { return ++reported > 0; };
  run(
      [&] {
        Promise<int> promise;
        promise.future().map([](int) { return 0; }).finally([] {});
        promise.fail(make_error("once"));
      },
      options);
  EXPECT_EQ(reported, 1);
}

TEST_P(FutureTest, CancellationPassesThroughAChain) {
  run([&] {
    Promise<int> promise;
    auto chain = promise.future().catch_error([](std::exception_ptr) { return 1; }).map([](int) { return 2; });
    promise.cancel();
    EXPECT_TRUE(promise.future().is_cancelled());
    EXPECT_THROW(await(chain), Cancelled);
    Promise<int> caught;
    try {
      await(chain);
    } catch (...) {
      caught.fail(std::current_exception());
    }
    EXPECT_TRUE(caught.future().is_cancelled());
  });
}

TEST_P(FutureTest, RecordsCreationAndCompletionLocations) {
  run([&] {
    const unsigned line = __LINE__;
    Promise<int> promise;
    promise.complete(1);
    auto future = promise.future();
    EXPECT_EQ(future.creation_location().line(), line + 1);
    EXPECT_EQ(future.completion_location().line(), line + 2);
    EXPECT_NE(future.event().describe().find("future_test.cpp:" + std::to_string(line + 1)), std::string::npos);
  });
}

TEST_P(FutureTest, UseOfEmptyFutureThrows) {
  run([&] {
    Future<int> empty;
    EXPECT_THROW(await(empty), MisuseError);
    EXPECT_THROW(empty.map([](int) {}), MisuseError);
  });
  EXPECT_THROW(Promise<int>{}, MisuseError);
  EXPECT_EQ(await(Future<int>::completed(1)), 1);  // needs no runtime
}

TEST_P(FutureTest, FutureMayOutliveRuntime) {
  std::unique_ptr<Promise<int>> promise;
  Future<int> future;
  run([&] {
    promise = std::make_unique<Promise<int>>();
    future = promise->future();
  });
  EXPECT_THROW(promise->complete(1), MisuseError);
  promise.reset();
  EXPECT_THROW(await(future), BrokenPromiseError);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(FutureTest);

}  // namespace
}  // namespace trueasync
