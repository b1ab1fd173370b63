// Chains of futures where something is in the way: no runtime, no room in a scope, a long way to go.
#include <gtest/gtest.h>

#include <memory>

#include "support/reactor_test.hpp"
#include "trueasync/future.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class FutureChainTest : public test::ReactorTest {};

std::exception_ptr error_named(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

TEST_P(FutureChainTest, BreaksWithAPromiseThatOutlivesTheRuntime) {
  std::unique_ptr<Promise<int>> promise;
  Future<int> mapped, cleaned;
  run([&] {
    promise = std::make_unique<Promise<int>>();
    mapped = promise->future().map([](int value) { return value; });
    cleaned = promise->future().finally([] {});
  });
  promise.reset();
  EXPECT_THROW(await(mapped), BrokenPromiseError);
  EXPECT_THROW(await(cleaned), Error);  // there is no coroutine to run its callback in
}

TEST_P(FutureChainTest, AnErrorPassesALongOneOnASmallStack) {
  run([&] {
    await(spawn([] {
      Promise<int> promise;
      Future<int> last = promise.future();
      for (int i = 0; i < 5000; ++i) last = std::move(last).map([](int value) { return value; });
      promise.fail(error_named("far away"));
      EXPECT_THROW(await(last), std::runtime_error);
    }));
  });
}

TEST_P(FutureChainTest, ACallbackRunsAlsoIfWhoCompletesMaySpawnNoMore) {
  // The scope is closed when its coroutine cleans up; the chain is another's.
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

TEST_P(FutureChainTest, IsCancelledWithTheCoroutineOfItsCallback) {
  // Started or not: it is the same to whoever awaits.
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

TEST_P(FutureChainTest, ACompletedPromiseStaysAsItIsWhateverACallbackDoes) {
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

    Promise<int> by_itself;
    EXPECT_THROW(by_itself.complete_with([&]() -> int {
      by_itself.complete(2);
      throw std::runtime_error("after all");
    }),
                 std::runtime_error);
    EXPECT_EQ(await(by_itself.future()), 2);
  });
}

TEST_P(FutureChainTest, AFailedOneHasAnErrorOrIsCancelled) {
  run([&] {
    EXPECT_THROW(Future<int>::failed(nullptr), MisuseError);
    EXPECT_TRUE(Future<int>::failed(std::make_exception_ptr(Cancelled("elsewhere"))).is_cancelled());
    auto failed = Future<int>::failed(error_named("made so"));
    EXPECT_TRUE(failed.is_failed());
    EXPECT_EQ(failed.completion_location().line(), failed.creation_location().line());
    failed.ignore();
  });
}

TEST_P(FutureChainTest, ALentContinuationIsCalledOnceAndStaysItsOwners) {
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
    promise.future().state().then(counter);  // at once now
    EXPECT_EQ(counter.calls, 2);
    Counter left;
    Promise<int> pending;
    pending.future().state().then(left);
    pending.future().event().unsubscribe(left);
    pending.complete(2);
    EXPECT_EQ(left.calls, 0);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(FutureChainTest);

}  // namespace
}  // namespace trueasync
