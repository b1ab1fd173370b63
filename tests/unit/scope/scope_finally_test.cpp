// What runs when a scope is over.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeFinally : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ScopeFinally);

TEST_P(ScopeFinally, FinallyHandlersRunWhenTheScopeIsClosedAndEmpty) {
  // SC-11
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
    EXPECT_TRUE(order.empty()) << "it is open to more";
    scope.dispose();
    delay(3ms);
    EXPECT_EQ(order, (std::vector{1, 2}));
  });
}

TEST_P(ScopeFinally, WhoeverAwaitsTheParentWaitsForTheFinallyHandlersBelow) {
  // SC-11
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

TEST_P(ScopeFinally, FinallyHandlersRunThoughTheirParentIsCancelledFirst) {
  // SC-08
  run([] {
    Scope parent = Scope::inherit();
    Scope scope = Scope::inherit(parent);
    bool finished = false;
    scope.finally([&] {
      delay(1ms);
      finished = true;
    });
    scope.cancel();
    parent.cancel();  // before they could start
    delay(5ms);
    EXPECT_TRUE(finished);
  });
}

TEST_P(ScopeFinally, AFinallyHandlerOfAScopeThatIsOverRunsAtOnce) {
  // SC-10
  run([] {
    Scope scope = Scope::inherit();
    scope.cancel();
    bool called = false;
    scope.finally([&] { called = true; });
    EXPECT_TRUE(called);
  });
}

TEST_P(ScopeFinally, AllFinallyHandlersRunAndTheirErrorsTravelTogether) {
  // SC-08 SC-09
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

TEST_P(ScopeFinally, ATokenThatRanOutInAHandlerIsAnErrorOfIt) {
  // SC-08 CA-03
  run([] {
    int heard = 0;
    Scope top = Scope::inherit();
    top.set_exception_handler([&](const std::exception_ptr&, const Coroutine&) { ++heard; });
    Scope scope = Scope::inherit(top);
    Promise<void> never;
    scope.finally([&] { await(never.future(), timeout(1ms)); });
    scope.cancel();
    top.await_completion();
    EXPECT_EQ(heard, 1);
  });
}

TEST_P(ScopeFinally, TheirErrorsGoToTheScopesOwnHandlerFirst) {
  // SC-08
  run([] {
    std::vector<std::string> seen;
    const auto hear = [&seen](std::string who, bool takes) {
      return [&seen, who, takes](const std::exception_ptr& error, const Coroutine&) {
        seen.push_back(who);
        if (!takes) std::rethrow_exception(error);
      };
    };
    Scope parent = Scope::inherit();
    parent.set_exception_handler(hear("parent", true));
    for (const bool takes : {true, false}) {
      Scope scope = Scope::inherit(parent);
      scope.set_exception_handler(hear("own", takes));
      scope.finally([] { throw std::runtime_error("one"); });
      scope.cancel();
      parent.await_completion();
      seen.push_back(";");
    }
    EXPECT_EQ(seen, (std::vector<std::string>{"own", ";", "own", "parent", ";"}));
  });
}

}  // namespace
}  // namespace trueasync::test
