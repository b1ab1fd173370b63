// Several awaiters of one scope, and where its errors go when awaiters are interrupted.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeAwaitTest : public ReactorTest {};
// Only in virtual time, so that the order of timers does not depend on the speed of the machine.
INSTANTIATE_TEST_SUITE_P(Reactors, ScopeAwaitTest, ::testing::Values(ReactorKind::simulated), reactor_name);

[[noreturn]] void fail(const char* text = "broken") { throw std::runtime_error(text); }

// Fails `time` after it was cancelled.
void fail_after_cancel(std::chrono::milliseconds time) {
  try {
    delay(1h);
  } catch (const Cancelled&) {
    delay(time);
    fail("in cleanup");
  }
}

ScopeErrorHandler count_into(int& count) {
  return [&count](const std::exception_ptr&, const Coroutine&) { ++count; };
}

// SC-02
TEST_P(ScopeAwaitTest, EndObserversLeaveInAnyOrder) {
  run([] {
    Scope scope = Scope::inherit();
    int own = 0, first = 0, second = 0;
    scope.set_exception_handler(count_into(own));
    for (auto time : {20ms, 40ms}) scope.spawn([=] { fail_after_cancel(time); });
    yield();
    scope.cancel();
    const auto await_with = [&](int& count, std::chrono::milliseconds time) {
      EXPECT_THROW(scope.await_after_cancellation(count_into(count), timeout(time)), OperationCancelled);
    };
    auto first_awaiter = spawn([&] { await_with(first, 5ms); });
    auto second_awaiter = spawn([&] { await_with(second, 30ms); });
    await(first_awaiter);
    await(second_awaiter);
    scope.await_completion();
    EXPECT_EQ(first, 0) << "its wait ended before the first error";
    EXPECT_EQ(second, 1);
    EXPECT_EQ(own, 1);
  });
}

// AW-03
TEST_P(ScopeAwaitTest, ErrorTakenByOneAwaiterDoesNotPropagate) {
  run([] {
    Scope parent = Scope::inherit();
    int count = 0;
    parent.set_exception_handler(count_into(count));
    Scope scope = Scope::inherit(parent);
    scope.spawn([] {
      delay(1ms);
      fail();
    });
    auto interrupted = spawn([&] { scope.await_completion(); });
    auto remaining = spawn([&] { EXPECT_THROW(scope.await_completion(), std::runtime_error); });
    yield();
    delay(1ms);
    EXPECT_TRUE(scope.is_finished());
    interrupted.cancel();  // both were woken, neither has run
    await(remaining);
    EXPECT_THROW(await(interrupted), Cancelled);
    EXPECT_EQ(count, 0);
  });
}

// AW-03
TEST_P(ScopeAwaitTest, RemainingAwaiterGetsKeptErrors) {
  run([] {
    Scope parent = Scope::inherit();
    int count = 0;
    parent.set_exception_handler(count_into(count));
    Scope scope = Scope::inherit(parent);
    scope.spawn([] { protect([] { delay(20ms); }); });
    scope.spawn([] {
      delay(1ms);
      fail();
    });
    auto remaining = spawn([&] {
      delay(2ms);
      EXPECT_THROW(scope.await_after_cancellation(), std::runtime_error);
    });
    EXPECT_THROW(scope.await_completion(timeout(5ms)), OperationCancelled);
    await(remaining);
    EXPECT_EQ(count, 0);
  });
}

// AW-03
TEST_P(ScopeAwaitTest, UntakenErrorPropagatesWhenScopeIsDestroyed) {
  run([] {
    Scope parent = Scope::inherit();
    int count = 0;
    parent.set_exception_handler(count_into(count));
    {
      std::vector<Scope> scopes{Scope::inherit(parent)};
      scopes[0].spawn([] { protect([] { delay(20ms); }); });
      scopes[0].spawn([] {
        delay(1ms);
        fail();
      });
      EXPECT_THROW(await_all(scopes, {}, timeout(5ms)), OperationCancelled);
    }
    delay(50ms);
    EXPECT_EQ(count, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
