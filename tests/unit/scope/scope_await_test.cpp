// Several who await one scope, and what becomes of its errors when they leave.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeAwaited : public ReactorTest {};
// In virtual time only: what is due first must be a matter of the test, not of the machine.
INSTANTIATE_TEST_SUITE_P(Reactors, ScopeAwaited, ::testing::Values(ReactorKind::simulated), reactor_name);

[[noreturn]] void fail(const char* text = "broken") { throw std::runtime_error(text); }

// Cancelled, it takes so long to fail.
void fail_late(std::chrono::milliseconds time) {
  try {
    delay(1h);
  } catch (const Cancelled&) {
    delay(time);
    fail("in cleanup");
  }
}

ScopeErrorHandler counting(int& heard) {
  return [&heard](const std::exception_ptr&, const Coroutine&) { ++heard; };
}

TEST_P(ScopeAwaited, HandlersOfThoseWhoAwaitTheEndComeAndGoInAnyOrder) {
  // SC-02
  run([] {
    Scope scope = Scope::inherit();
    int own = 0, first = 0, second = 0;
    scope.set_exception_handler(counting(own));
    for (auto time : {20ms, 40ms}) scope.spawn([=] { fail_late(time); });
    yield();
    scope.cancel();
    const auto await_with = [&](int& heard, std::chrono::milliseconds time) {
      EXPECT_THROW(scope.await_after_cancellation(counting(heard), timeout(time)), OperationCancelled);
    };
    auto leaves_first = spawn([&] { await_with(first, 5ms); });
    auto leaves_later = spawn([&] { await_with(second, 30ms); });
    await(leaves_first);
    await(leaves_later);
    scope.await_completion();
    EXPECT_EQ(first, 0) << "it had left when the first error came";
    EXPECT_EQ(second, 1);
    EXPECT_EQ(own, 1);
  });
}

TEST_P(ScopeAwaited, AnErrorThatOneWaiterHasGoesNowhereElse) {
  // AW-03
  run([] {
    Scope top = Scope::inherit();
    int heard = 0;
    top.set_exception_handler(counting(heard));
    Scope scope = Scope::inherit(top);
    scope.spawn([] {
      delay(1ms);
      fail();
    });
    auto leaves = spawn([&] { scope.await_completion(); });
    auto stays = spawn([&] { EXPECT_THROW(scope.await_completion(), std::runtime_error); });
    yield();
    delay(1ms);
    EXPECT_TRUE(scope.is_finished());
    leaves.cancel();  // both have been woken, neither has run
    await(stays);
    EXPECT_THROW(await(leaves), Cancelled);
    EXPECT_EQ(heard, 0);
  });
}

TEST_P(ScopeAwaited, WhoeverStillWaitsInAnotherWayGetsWhatWasKept) {
  // AW-03
  run([] {
    Scope top = Scope::inherit();
    int heard = 0;
    top.set_exception_handler(counting(heard));
    Scope scope = Scope::inherit(top);
    scope.spawn([] { protect([] { delay(20ms); }); });
    scope.spawn([] {
      delay(1ms);
      fail();
    });
    auto stays = spawn([&] {
      delay(2ms);
      EXPECT_THROW(scope.await_after_cancellation(), std::runtime_error);
    });
    EXPECT_THROW(scope.await_completion(timeout(5ms)), OperationCancelled);
    await(stays);
    EXPECT_EQ(heard, 0);
  });
}

TEST_P(ScopeAwaited, WhatNobodyTookGoesUpWithTheScope) {
  // AW-03
  run([] {
    Scope top = Scope::inherit();
    int heard = 0;
    top.set_exception_handler(counting(heard));
    {
      std::vector<Scope> scopes{Scope::inherit(top)};
      scopes[0].spawn([] { protect([] { delay(20ms); }); });
      scopes[0].spawn([] {
        delay(1ms);
        fail();
      });
      EXPECT_THROW(await_all(scopes, {}, timeout(5ms)), OperationCancelled);
    }
    delay(50ms);
    EXPECT_EQ(heard, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
