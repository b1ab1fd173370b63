// Scope: membership, cancellation and waiting.
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ScopeTest);

TEST_P(ScopeTest, SpawnInheritsScopeOfSpawner) {
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

// SC-01
TEST_P(ScopeTest, LastFinishedCoroutineWakesAwaiter) {
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
    EXPECT_FALSE(scope.is_closed()) << "a finished scope stays open";
    scope.spawn([&] { order.push_back(5); });
    EXPECT_FALSE(scope.is_finished());
    await(scope);
    EXPECT_EQ(order.back(), 5);
  });
}

// SC-01
TEST_P(ScopeTest, AwaitIncludesChildScopes) {
  run([] {
    Scope top = Scope::inherit();
    Scope orphan = Scope::inherit(Scope::inherit(top));
    EXPECT_TRUE(orphan.is_closed()) << "the only handle of its parent was destroyed";
    Scope middle = Scope::inherit(top);
    Scope grandchild = Scope::inherit(middle);
    bool done = false;
    grandchild.spawn([&] {
      delay(1ms);
      done = true;
    });
    EXPECT_FALSE(top.is_finished());
    top.await_completion();
    EXPECT_TRUE(done);
  });
}

// CXL-01
TEST_P(ScopeTest, CancelReachesChildScopesButNotParent) {
  run([] {
    Scope top = Scope::inherit();
    Scope middle = Scope::inherit(top);
    Scope low = Scope::inherit(middle);
    auto in_top = top.spawn([] { delay(1ms); });
    auto in_middle = middle.spawn([] { delay(1h); });
    auto in_low = low.spawn([] { delay(1h); });
    yield();
    auto unstarted = low.spawn([] { ADD_FAILURE() << "started"; });
    middle.cancel();
    EXPECT_TRUE(low.is_cancelled());
    EXPECT_FALSE(top.is_cancelled());
    top.await_completion();
    EXPECT_FALSE(in_top.is_cancelled());
    EXPECT_TRUE(in_middle.is_cancelled());
    EXPECT_TRUE(in_low.is_cancelled());
    EXPECT_TRUE(unstarted.is_cancelled());
  });
}

TEST_P(ScopeTest, SpawnInClosedScopeThrows) {
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

TEST_P(ScopeTest, AwaitOfOwnScopeThrows) {
  run([] {
    EXPECT_THROW(Scope::root().await_completion(), MisuseError);
    Scope scope = Scope::inherit();
    Scope child = Scope::inherit(scope);
    child.spawn([&] { EXPECT_THROW(scope.await_completion(), MisuseError); });
    scope.await_completion();
  });
}

// SC-07 CXL-04
TEST_P(ScopeTest, TokenEndsWaitButNotScope) {
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
    scope.await_completion(timeout(0ms));  // the scope is idle: the token is not used
  });
}

// CA-04
TEST_P(ScopeTest, CancelledAwaiterUnsubscribes) {
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

// CA-07
TEST_P(ScopeTest, CancelOfOwnScopeIsDeliveredAtNextSuspension) {
  run([] {
    Scope scope = Scope::inherit();
    bool continued = false;
    auto task = scope.spawn([&] {
      scope.cancel();
      continued = true;
      yield();
      ADD_FAILURE();
    });
    scope.await_completion();
    EXPECT_TRUE(continued);
    EXPECT_TRUE(task.is_cancelled());
  });
}

TEST_P(ScopeTest, DeepTreeIsCancelledAndFreedWithoutRecursion) {
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

TEST_P(ScopeTest, CancelSkipsCancelledSubtrees) {
  run([] {
    std::vector<Scope> all{Scope::inherit()};
    for (int i = 0; i < 20'000; ++i) all.push_back(Scope::inherit(all.back()));
    auto task = all.back().spawn([] { delay(1h); });
    yield();
    // Visiting the whole subtree of every scope would take 200 million steps.
    for (auto scope = all.rbegin(); scope != all.rend(); ++scope) scope->cancel();
    all.front().await_completion();
    EXPECT_TRUE(task.is_cancelled());
  });
}

TEST_P(ScopeTest, HandleOutlivesRuntime) {
  std::optional<Scope> handle;
  run([&] {
    handle = Scope::inherit();
    handle->spawn([] {});
    handle->finally([] {});
  });
  handle.reset();
}

}  // namespace
}  // namespace trueasync::test
