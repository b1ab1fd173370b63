// Errors nobody awaits.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeErrors : public ReactorTest {};
// In virtual time only: what is due first must be a matter of the test, not of the machine.
INSTANTIATE_TEST_SUITE_P(Reactors, ScopeErrors, ::testing::Values(ReactorKind::simulated), reactor_name);

[[noreturn]] void fail(const char* text = "broken") { throw std::runtime_error(text); }

TEST_P(ScopeErrors, TheFirstErrorCancelsTheSiblingsAndReachesWhoeverAwaitsTheScope) {
  run([] {
    Scope scope = Scope::inherit();
    Scope below = Scope::inherit(scope);
    auto sibling = scope.spawn([] { delay(1h); });
    auto nephew = below.spawn([] { delay(1h); });
    scope.spawn([] { fail(); });
    EXPECT_THROW(scope.await_completion(), std::runtime_error);
    EXPECT_TRUE(sibling.is_cancelled());
    EXPECT_TRUE(nephew.is_cancelled());
    EXPECT_TRUE(scope.is_cancelled());
    scope.await_completion();  // taken: not a second time
  });
}

TEST_P(ScopeErrors, AnErrorThatNobodyTakesEndsTheRuntime) {
  EXPECT_THROW(run([] {
                 Scope scope = Scope::inherit();
                 scope.spawn([] { fail(); });
                 delay(1h);
               }),
               std::runtime_error);
}

TEST_P(ScopeErrors, AnAwaitedErrorIsNotTheScopes) {
  // AW-03
  run([] {
    Scope scope = Scope::inherit();
    auto task = scope.spawn([] { fail(); });
    auto other = scope.spawn([] { delay(5ms); });
    EXPECT_THROW(await(task), std::runtime_error);
    scope.await_completion();
    EXPECT_FALSE(other.is_cancelled());
  });
}

TEST_P(ScopeErrors, AnErrorStaysOnTheHandleUntilTheHandleGoes) {
  // AW-03 AW-04
  run([] {
    Scope scope = Scope::inherit();
    int heard = 0;
    scope.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++heard; });
    auto task = scope.spawn([] { fail(); });
    yield();
    EXPECT_EQ(heard, 0);
    task = {};
    EXPECT_EQ(heard, 1);
  });
}

TEST_P(ScopeErrors, AHandlerMakesASupervisor) {
  run([] {
    Scope scope = Scope::inherit();
    std::uint64_t from = 0;
    scope.set_exception_handler([&](const std::exception_ptr&, const Coroutine& coroutine) { from = coroutine.id(); });
    auto sibling = scope.spawn([] { delay(5ms); });
    const std::uint64_t id = scope.spawn([] { fail(); }).id();
    scope.await_completion();
    EXPECT_EQ(from, id);
    EXPECT_FALSE(sibling.is_cancelled());
    EXPECT_FALSE(scope.is_closed());
  });
}

TEST_P(ScopeErrors, AnErrorFromBelowGoesToTheHandlerForChildScopes) {
  run([] {
    Scope top = Scope::inherit();
    int own = 0, below = 0;
    top.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++own; });
    Scope child = Scope::inherit(top);
    auto sibling = child.spawn([] { delay(1h); });
    auto cousin = top.spawn([] { delay(5ms); });
    child.spawn([] { fail(); });
    delay(1ms);
    EXPECT_EQ(own, 1) << "without one for child scopes the own one gets it";
    EXPECT_TRUE(sibling.is_cancelled());
    top.set_child_scope_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++below; });
    Scope other = Scope::inherit(top);
    other.spawn([] { fail(); });
    top.await_completion();
    EXPECT_EQ(own, 1);
    EXPECT_EQ(below, 1);
    EXPECT_FALSE(cousin.is_cancelled());
  });
}

TEST_P(ScopeErrors, WhatAHandlerThrowsTravelsUpInstead) {
  run([] {
    Scope top = Scope::inherit();
    std::string heard;
    top.set_exception_handler([&](const std::exception_ptr& error, const Coroutine&) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& known) {
        heard = known.what();
      }
    });
    Scope below = Scope::inherit(top);
    below.set_exception_handler([](const std::exception_ptr&, const Coroutine&) { fail("of the handler"); });
    below.spawn([] { fail("of the coroutine"); });
    top.await_completion();
    EXPECT_EQ(heard, "of the handler");
  });
}

TEST_P(ScopeErrors, TheRootHasAHandlerToo) {
  run([] {
    int heard = 0;
    Scope::root().set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++heard; });
    spawn([] { fail(); });
    Scope scope = Scope::inherit();
    scope.spawn([] { fail(); });
    delay(1ms);
    EXPECT_EQ(heard, 2);
    EXPECT_TRUE(scope.is_cancelled());
    Scope::root().set_exception_handler(nullptr);
  });
}

TEST_P(ScopeErrors, AScopeWithoutAParentReportsToTheRuntime) {
  int unhandled = 0;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr) { return ++unhandled > 0; };
  run(
      [] {
        Scope scope;
        scope.spawn([] { fail(); });
        delay(1ms);
        EXPECT_TRUE(scope.is_cancelled());
      },
      options);
  EXPECT_EQ(unhandled, 1);
}

TEST_P(ScopeErrors, SeveralErrorsComeTogether) {
  // SC-08
  run([] {
    Scope scope = Scope::inherit();
    for (int i = 0; i < 3; ++i) {
      scope.spawn([] {
        try {
          delay(1h);
        } catch (const Cancelled&) {
          fail("in cleanup");
        }
      });
    }
    scope.spawn([] { fail(); });
    try {
      scope.await_completion();
      ADD_FAILURE();
    } catch (const CompositeError& error) {
      EXPECT_EQ(error.errors().size(), 4u);
    }
  });
}

TEST_P(ScopeErrors, WhatWasKeptForAWaiterThatLeavesGoesUp) {
  run([] {
    Scope top = Scope::inherit();
    int heard = 0;
    top.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++heard; });
    Scope scope = Scope::inherit(top);
    scope.spawn([] { protect([] { delay(20ms); }); });
    scope.spawn([] {
      delay(1ms);
      fail();
    });
    EXPECT_THROW(scope.await_completion(timeout(5ms)), OperationCancelled);
    EXPECT_EQ(heard, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
