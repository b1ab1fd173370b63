// Unobserved errors of coroutines in scopes.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeErrorTest : public ReactorTest {};
// Only in virtual time, so that the order of timers does not depend on the speed of the machine.
INSTANTIATE_TEST_SUITE_P(Reactors, ScopeErrorTest, ::testing::Values(ReactorKind::simulated), reactor_name);

[[noreturn]] void fail(const char* text = "broken") { throw std::runtime_error(text); }

TEST_P(ScopeErrorTest, FirstErrorCancelsSiblingsAndReachesAwaiter) {
  run([] {
    Scope scope = Scope::inherit();
    Scope child = Scope::inherit(scope);
    auto sibling = scope.spawn([] { delay(1h); });
    auto in_child = child.spawn([] { delay(1h); });
    scope.spawn([] { fail(); });
    EXPECT_THROW(scope.await_completion(), std::runtime_error);
    EXPECT_TRUE(sibling.is_cancelled());
    EXPECT_TRUE(in_child.is_cancelled());
    EXPECT_TRUE(scope.is_cancelled());
    scope.await_completion();  // the error is not thrown twice
  });
}

TEST_P(ScopeErrorTest, UnhandledErrorEndsRuntime) {
  EXPECT_THROW(run([] {
                 Scope scope = Scope::inherit();
                 scope.spawn([] { fail(); });
                 delay(1h);
               }),
               std::runtime_error);
}

// AW-03
TEST_P(ScopeErrorTest, AwaitedErrorDoesNotReachScope) {
  run([] {
    Scope scope = Scope::inherit();
    auto task = scope.spawn([] { fail(); });
    auto other = scope.spawn([] { delay(5ms); });
    EXPECT_THROW(await(task), std::runtime_error);
    scope.await_completion();
    EXPECT_FALSE(other.is_cancelled());
  });
}

// AW-03 AW-04
TEST_P(ScopeErrorTest, UnobservedErrorIsReportedWhenHandleIsDropped) {
  run([] {
    Scope scope = Scope::inherit();
    int errors = 0;
    scope.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++errors; });
    auto task = scope.spawn([] { fail(); });
    yield();
    EXPECT_EQ(errors, 0);
    task = {};
    EXPECT_EQ(errors, 1);
  });
}

TEST_P(ScopeErrorTest, ExceptionHandlerKeepsSiblingsRunning) {
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

TEST_P(ScopeErrorTest, ChildScopeErrorGoesToChildScopeHandler) {
  run([] {
    Scope parent = Scope::inherit();
    int own_errors = 0, child_errors = 0;
    parent.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++own_errors; });
    Scope child = Scope::inherit(parent);
    auto sibling = child.spawn([] { delay(1h); });
    auto in_parent = parent.spawn([] { delay(5ms); });
    child.spawn([] { fail(); });
    delay(1ms);
    EXPECT_EQ(own_errors, 1) << "without a handler for child scopes the other handler gets it";
    EXPECT_TRUE(sibling.is_cancelled());
    parent.set_child_scope_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++child_errors; });
    Scope other = Scope::inherit(parent);
    other.spawn([] { fail(); });
    parent.await_completion();
    EXPECT_EQ(own_errors, 1);
    EXPECT_EQ(child_errors, 1);
    EXPECT_FALSE(in_parent.is_cancelled());
  });
}

TEST_P(ScopeErrorTest, ExceptionOfHandlerPropagatesInstead) {
  run([] {
    Scope parent = Scope::inherit();
    std::string message;
    parent.set_exception_handler([&](const std::exception_ptr& error, const Coroutine&) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& known) {
        message = known.what();
      }
    });
    Scope child = Scope::inherit(parent);
    child.set_exception_handler([](const std::exception_ptr&, const Coroutine&) { fail("error of the handler"); });
    child.spawn([] { fail("error of the coroutine"); });
    parent.await_completion();
    EXPECT_EQ(message, "error of the handler");
  });
}

TEST_P(ScopeErrorTest, RootScopeHandlerGetsErrors) {
  run([] {
    int errors = 0;
    Scope::root().set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++errors; });
    spawn([] { fail(); });
    Scope scope = Scope::inherit();
    scope.spawn([] { fail(); });
    delay(1ms);
    EXPECT_EQ(errors, 2);
    EXPECT_TRUE(scope.is_cancelled());
    Scope::root().set_exception_handler(nullptr);
  });
}

TEST_P(ScopeErrorTest, ScopeWithoutParentReportsToRuntime) {
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

// SC-08
TEST_P(ScopeErrorTest, SeveralErrorsAreThrownAsCompositeError) {
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

TEST_P(ScopeErrorTest, KeptErrorPropagatesWhenAwaiterTimesOut) {
  run([] {
    Scope parent = Scope::inherit();
    int errors = 0;
    parent.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++errors; });
    Scope scope = Scope::inherit(parent);
    scope.spawn([] { protect([] { delay(20ms); }); });
    scope.spawn([] {
      delay(1ms);
      fail();
    });
    EXPECT_THROW(scope.await_completion(timeout(5ms)), OperationCancelled);
    EXPECT_EQ(errors, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
