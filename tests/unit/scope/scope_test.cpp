// Belonging, cancelling, waiting.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class Scopes : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Scopes);

TEST_P(Scopes, SpawnInheritsTheSpawnersScope) {
  run([] {
    EXPECT_EQ(Scope::current(), Scope::root());
    Scope scope = Scope::inherit();
    bool inner = false;
    scope.spawn([&] {
      EXPECT_EQ(Scope::current(), scope);
      await(spawn([&] { inner = Scope::current() == scope; }));
    });
    scope.await_completion();
    EXPECT_TRUE(inner);
    EXPECT_EQ(scope.parent(), Scope::root());
    EXPECT_FALSE(Scope().parent());
  });
}

TEST_P(Scopes, TheLastCoroutinesEndWakesWhoeverAwaitsTheScope) {
  // SC-01
  run([] {
    Scope scope = Scope::inherit();
    std::vector<int> order;
    for (int i = 1; i <= 3; ++i) {
      scope.spawn([&, i] {
        delay(i * 1ms);
        order.push_back(i);
      });
    }
    scope.await_completion();
    order.push_back(4);
    EXPECT_EQ(order, (std::vector{1, 2, 3, 4}));
    EXPECT_TRUE(scope.is_finished());
    EXPECT_FALSE(scope.is_closed()) << "finished is not closed";
    scope.spawn([&] { order.push_back(5); });
    EXPECT_FALSE(scope.is_finished());
    await(scope);
    EXPECT_EQ(order.back(), 5);
  });
}

TEST_P(Scopes, AwaitingCoversScopesBelow) {
  // SC-01
  run([] {
    Scope top = Scope::inherit();
    Scope low = Scope::inherit(Scope::inherit(top));
    EXPECT_TRUE(low.is_closed()) << "its parent went with its only handle";
    Scope middle = Scope::inherit(top);
    Scope below = Scope::inherit(middle);
    bool done = false;
    below.spawn([&] {
      delay(1ms);
      done = true;
    });
    EXPECT_FALSE(top.is_finished());
    top.await_completion();
    EXPECT_TRUE(done);
  });
}

TEST_P(Scopes, CancellingGoesDownAndNeverUp) {
  // CXL-01
  run([] {
    Scope top = Scope::inherit();
    Scope middle = Scope::inherit(top);
    Scope low = Scope::inherit(middle);
    auto in_top = top.spawn([] { delay(1ms); });
    auto in_middle = middle.spawn([] { delay(1h); });
    auto in_low = low.spawn([] { delay(1h); });
    yield();
    auto late = low.spawn([] { ADD_FAILURE() << "started"; });
    middle.cancel();
    EXPECT_TRUE(low.is_cancelled());
    EXPECT_FALSE(top.is_cancelled());
    top.await_completion();
    EXPECT_FALSE(in_top.is_cancelled());
    EXPECT_TRUE(in_middle.is_cancelled());
    EXPECT_TRUE(in_low.is_cancelled());
    EXPECT_TRUE(late.is_cancelled());
  });
}

TEST_P(Scopes, ASpawnIntoAClosedScopeIsAClearError) {
  run([] {
    Scope scope = Scope::inherit();
    scope.cancel();
    try {
      scope.spawn([] {});
      ADD_FAILURE();
    } catch (const MisuseError& error) {
      EXPECT_NE(std::string(error.what()).find("closed"), std::string::npos);
    }
    EXPECT_THROW(Scope::inherit(scope), MisuseError);
  });
}

TEST_P(Scopes, AwaitingTheScopeOneIsInIsAClearError) {
  run([] {
    EXPECT_THROW(Scope::root().await_completion(), MisuseError);
    Scope scope = Scope::inherit();
    Scope below = Scope::inherit(scope);
    below.spawn([&] { EXPECT_THROW(scope.await_completion(), MisuseError); });
    scope.await_completion();
  });
}

TEST_P(Scopes, ATokenEndsTheWaitAndTheScopeGoesOn) {
  // SC-07 CXL-04
  run([] {
    Scope scope = Scope::inherit();
    bool done = false;
    scope.spawn([&] {
      delay(20ms);
      done = true;
    });
    EXPECT_THROW(scope.await_completion(timeout(1ms)), OperationCancelled);
    EXPECT_FALSE(scope.is_closed());
    scope.await_completion(timeout(10s));
    EXPECT_TRUE(done);
    scope.await_completion(timeout(0ms));  // over already: the token does not matter
  });
}

TEST_P(Scopes, ACancelledWaiterLeavesTheScopeAlone) {
  // CA-04
  run([] {
    Scope scope = Scope::inherit();
    scope.spawn([] { delay(2ms); });
    auto waiter = spawn([&] { scope.await_completion(); });
    yield();
    waiter.cancel();
    scope.await_completion();
    EXPECT_TRUE(waiter.is_cancelled());
    EXPECT_FALSE(scope.event().has_subscribers());
  });
}

TEST_P(Scopes, ARunningCoroutineThatCancelsItsOwnScopeGetsItAtItsNextSuspension) {
  // CA-07
  run([] {
    Scope scope = Scope::inherit();
    bool went_on = false;
    auto task = scope.spawn([&] {
      scope.cancel();
      went_on = true;
      yield();
      ADD_FAILURE();
    });
    scope.await_completion();
    EXPECT_TRUE(went_on);
    EXPECT_TRUE(task.is_cancelled());
  });
}

TEST_P(Scopes, ATreeOfGreatDepthIsCancelledAndFreedWithoutRecursion) {
  run([] {
    await(spawn([] {  // on a small stack
      Scope top;
      std::vector<Scope> all{top};
      for (int i = 0; i < 20'000; ++i) all.push_back(Scope::inherit(all.back()));
      auto task = all.back().spawn([] { delay(1h); });
      yield();
      top.cancel();
      top.await_completion();
      EXPECT_TRUE(task.is_cancelled());
      EXPECT_TRUE(all.back().is_cancelled());
    }));
  });
}

TEST_P(Scopes, AChainThatIsCancelledFromBelowIsWalkedOnce) {
  run([] {
    std::vector<Scope> all{Scope::inherit()};
    for (int i = 0; i < 20'000; ++i) all.push_back(Scope::inherit(all.back()));
    auto task = all.back().spawn([] { delay(1h); });
    yield();
    // Every one of them has a whole chain below it: looking at that each time would be 200 million steps.
    for (auto scope = all.rbegin(); scope != all.rend(); ++scope) scope->cancel();
    all.front().await_completion();
    EXPECT_TRUE(task.is_cancelled());
  });
}

TEST_P(Scopes, HandlesMayOutliveTheRuntime) {
  std::optional<Scope> kept;
  run([&] {
    kept = Scope::inherit();
    kept->spawn([] {});
    kept->finally([] {});
  });
  kept.reset();
}

}  // namespace
}  // namespace trueasync::test
