// Future chains in special cases: without a runtime, in a closed scope, with many links.
#include <gtest/gtest.h>

#include <memory>

#include "support/reactor_test.hpp"
#include "trueasync/sync/future.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class FutureChainTest : public test::ReactorTest {};

std::exception_ptr make_error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

TEST_P(FutureChainTest, FailsIfPromiseOutlivesRuntime) {
  std::unique_ptr<Promise<int>> promise;
  Future<int> mapped, cleaned;
  run([&] {
    promise = std::make_unique<Promise<int>>();
    mapped = promise->future().map([](int value) { return value; });
    cleaned = promise->future().finally([] {});
  });
  promise.reset();
  EXPECT_THROW(await(mapped), BrokenPromiseError);
  EXPECT_THROW(await(cleaned), Error);  // the callback needs a coroutine, hence a runtime
}

TEST_P(FutureChainTest, ErrorPassesLongChainWithoutRecursion) {
  run([&] {
    await(spawn([] {
      Promise<int> promise;
      Future<int> last = promise.future();
      for (int i = 0; i < 5000; ++i) last = std::move(last).map([](int value) { return value; });
      promise.fail(make_error("first link failed"));
      EXPECT_THROW(await(last), std::runtime_error);
    }));
  });
}

TEST_P(FutureChainTest, CallbackRunsIfScopeOfCompleterIsClosed) {
  // The scope is closed while its coroutine cleans up and completes a promise of another scope.
  run([&] {
    Promise<int> promise;
    auto chain = promise.future().map([](int value) { return value + 1; });
    Scope scope;
    scope.spawn([&] {
      try {
        delay(1h);
      } catch (const Cancelled&) {
        promise.complete(1);
        throw;
      }
    });
    yield();
    scope.cancel();
    EXPECT_EQ(await(chain), 2);
  });
}

TEST_P(FutureChainTest, IsCancelledIfCallbackCoroutineNeverStarts) {
  run([&] {
    Promise<int> promise;
    auto chain = promise.future().map([](int value) { return value + 1; });
    Scope scope;
    scope.spawn([&] { promise.complete(1); });
    yield();
    scope.cancel();  // the callback is ready and has not started
    EXPECT_THROW(await(chain), Cancelled);
    EXPECT_TRUE(chain.is_cancelled());
  });
}

TEST_P(FutureChainTest, CompleteWithDoesNotChangeSettledPromise) {
  run([&] {
    Promise<int> promise;
    promise.complete(1);
    bool called = false;
    EXPECT_THROW(promise.complete_with([&]() -> int {
      called = true;
      throw std::runtime_error("late");
    }),
                 FutureError);
    EXPECT_FALSE(called);
    EXPECT_EQ(await(promise.future()), 1);

    Promise<int> settled_inside;
    EXPECT_THROW(settled_inside.complete_with([&]() -> int {
      settled_inside.complete(2);
      throw std::runtime_error("after completion");
    }),
                 std::runtime_error);
    EXPECT_EQ(await(settled_inside.future()), 2);
  });
}

TEST_P(FutureChainTest, FailedFutureHasErrorOrIsCancelled) {
  run([&] {
    EXPECT_THROW(Future<int>::failed(nullptr), MisuseError);
    EXPECT_TRUE(Future<int>::failed(std::make_exception_ptr(Cancelled("elsewhere"))).is_cancelled());
    auto failed = Future<int>::failed(make_error("created failed"));
    EXPECT_TRUE(failed.is_failed());
    EXPECT_EQ(failed.completion_location().line(), failed.creation_location().line());
    failed.ignore();
  });
}

TEST_P(FutureChainTest, ContinuationByReferenceIsCalledOnceAndNotOwned) {
  struct Counter final : detail::Continuation {
    void on_settled() noexcept override { ++calls; }
    int calls = 0;
  };
  run([&] {
    Counter counter;
    Promise<int> promise;
    promise.future().state().then(counter);
    EXPECT_EQ(counter.calls, 0);
    promise.complete(1);
    EXPECT_EQ(counter.calls, 1);
    promise.future().state().then(counter);  // a settled future calls it immediately
    EXPECT_EQ(counter.calls, 2);
    Counter unsubscribed;
    Promise<int> pending;
    pending.future().state().then(unsubscribed);
    pending.future().event().unsubscribe(unsubscribed);
    pending.complete(2);
    EXPECT_EQ(unsubscribed.calls, 0);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(FutureChainTest);

}  // namespace
}  // namespace trueasync
