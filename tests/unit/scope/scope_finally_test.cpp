// Finally handlers of scopes.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeFinallyTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ScopeFinallyTest);

// SC-11
TEST_P(ScopeFinallyTest, HandlersRunWhenScopeIsClosedAndEmpty) {
  run([] {
    Scope scope = Scope::inherit();
    std::vector<int> order;
    scope.finally([&] {
      delay(1ms);  // may suspend
      order.push_back(1);
    });
    scope.finally([&] { order.push_back(2); });
    scope.spawn([] {});
    scope.await_completion();
    delay(3ms);
    EXPECT_TRUE(order.empty()) << "the scope is not closed";
    scope.dispose();
    delay(3ms);
    EXPECT_EQ(order, (std::vector{1, 2}));
  });
}

// SC-11
TEST_P(ScopeFinallyTest, AwaitOfParentIncludesHandlersOfChild) {
  run([] {
    Scope parent = Scope::inherit();
    Scope scope = Scope::inherit(parent);
    bool finished = false;
    scope.finally([&] {
      delay(1ms);
      finished = true;
    });
    scope.spawn([&] { scope.dispose(); });
    parent.await_completion();
    EXPECT_TRUE(finished);
  });
}

// SC-08
TEST_P(ScopeFinallyTest, HandlersRunThoughParentIsCancelledFirst) {
  run([] {
    Scope parent = Scope::inherit();
    Scope scope = Scope::inherit(parent);
    bool finished = false;
    scope.finally([&] {
      delay(1ms);
      finished = true;
    });
    scope.cancel();
    parent.cancel();  // before the handler has started
    delay(5ms);
    EXPECT_TRUE(finished);
  });
}

// SC-10
TEST_P(ScopeFinallyTest, HandlerOfFinishedScopeRunsImmediately) {
  run([] {
    Scope scope = Scope::inherit();
    scope.cancel();
    bool called = false;
    scope.finally([&] { called = true; });
    EXPECT_TRUE(called);
  });
}

// SC-08 SC-09
TEST_P(ScopeFinallyTest, AllHandlersRunAndErrorsAreCombined) {
  run([] {
    Scope parent = Scope::inherit();
    std::vector<std::string> seen;
    parent.set_exception_handler([&](const std::exception_ptr& error, const Coroutine&) {
      try {
        std::rethrow_exception(error);
      } catch (const CompositeError& composite) {
        for (const auto& part : composite.errors()) {
          try {
            std::rethrow_exception(part);
          } catch (const std::runtime_error& known) {
            seen.push_back(known.what());
          }
        }
      }
    });
    Scope scope = Scope::inherit(parent);
    int ran = 0;
    scope.finally([&] { ++ran, throw std::runtime_error("first"); });
    scope.finally([&] { ++ran; });
    scope.finally([&] { ++ran, throw std::runtime_error("second"); });
    scope.cancel();
    parent.await_completion();
    EXPECT_EQ(ran, 3);
    EXPECT_EQ(seen, (std::vector<std::string>{"first", "second"}));
    EXPECT_TRUE(CompositeError().errors().empty());
  });
}

// SC-08 CA-03
TEST_P(ScopeFinallyTest, FiredTokenInHandlerIsAnError) {
  run([] {
    int errors = 0;
    Scope parent = Scope::inherit();
    parent.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++errors; });
    Scope scope = Scope::inherit(parent);
    Promise<void> never;
    scope.finally([&] { await(never.future(), timeout(1ms)); });
    scope.cancel();
    parent.await_completion();
    EXPECT_EQ(errors, 1);
  });
}

// SC-08
TEST_P(ScopeFinallyTest, ErrorGoesToOwnExceptionHandlerFirst) {
  run([] {
    std::vector<std::string> seen;
    const auto make_handler = [&seen](std::string name, bool handles) {
      return [&seen, name, handles](const std::exception_ptr& error, const Coroutine&) {
        seen.push_back(name);
        if (!handles) std::rethrow_exception(error);
      };
    };
    Scope parent = Scope::inherit();
    parent.set_exception_handler(make_handler("parent", true));
    for (const bool handles : {true, false}) {
      Scope scope = Scope::inherit(parent);
      scope.set_exception_handler(make_handler("own", handles));
      scope.finally([] { throw std::runtime_error("failed"); });
      scope.cancel();
      parent.await_completion();
      seen.push_back(";");
    }
    EXPECT_EQ(seen, (std::vector<std::string>{"own", ";", "own", "parent", ";"}));
  });
}

}  // namespace
}  // namespace trueasync::test
