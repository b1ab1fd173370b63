// How scopes end: disposal, zombies, timeouts, pins.
#include "scope/scope_state.hpp"
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeEnds : public ReactorTest {};
// In virtual time only: what is due first must be a matter of the test, not of the machine.
INSTANTIATE_TEST_SUITE_P(Reactors, ScopeEnds, ::testing::Values(ReactorKind::simulated), reactor_name);

TEST_P(ScopeEnds, DisposeCancelsByDefault) {
  // SC-03
  run([] {
    Scope scope = Scope::inherit();
    auto task = scope.spawn([] { delay(1h); });
    yield();
    EXPECT_TRUE(scope.dispose());
    scope.await_after_cancellation();
    EXPECT_TRUE(task.is_cancelled());
  });
}

TEST_P(ScopeEnds, TheLastHandleDisposes) {
  // SC-03
  run([] {
    Task<void> task;
    {
      Scope scope = Scope::inherit();
      Scope copy = scope;
      Scope moved = std::move(scope);
      task = moved.spawn([] {
        Scope::current();  // names it only
        delay(1h);
      });
      yield();
      EXPECT_FALSE(copy.is_closed());
    }
    EXPECT_THROW(await(task), Cancelled);
  });
}

TEST_P(ScopeEnds, OutlivingIsByChoiceAndInherited) {
  // SC-03
  run([] {
    Scope top = Scope::inherit();
    top.allow_zombies();
    Scope below = Scope::inherit(top);
    bool done = false;
    auto task = below.spawn([&] {
      delay(2ms);
      done = true;
    });
    yield();
    EXPECT_TRUE(below.dispose());
    EXPECT_TRUE(below.is_closed());
    EXPECT_TRUE(below.is_finished()) << "zombies do not count";
    EXPECT_TRUE(top.is_finished());
    below.await_after_cancellation();
    EXPECT_TRUE(done);
  });
}

TEST_P(ScopeEnds, ZombiesNeitherKeepTheProgramAliveNorCountAsDeadlock) {
  // SC-14
  int cleaned = 0;
  run([&] {
    Scope scope = Scope::inherit();
    struct Cleanup {
      int& count;
      ~Cleanup() {
        delay(1ms);  // cleanup may suspend
        ++count;
      }
    };
    scope.spawn([&] {
      Cleanup cleanup{cleaned};
      delay(24h);
    });
    scope.spawn([&] {
      Cleanup cleanup{cleaned};
      WaitEntry entry(current_coroutine().event());  // for itself: never
      WaitRequest request;
      request.entries = std::span(&entry, 1);
      if (wait(request) == WakeReason::cancelled) throw Cancelled("as asked");
    });
    scope.spawn([&] {
      Cleanup cleanup{cleaned};
      Interval tick(1ms);
      for (;;) tick.wait();
    });
    delay(1ms);
    scope.dispose_safely();
  });
  EXPECT_EQ(cleaned, 3);
}

TEST_P(ScopeEnds, AZombieEndsInItsOwnTimeWhileOthersRun) {
  // SC-14
  run([] {
    Scope scope = Scope::inherit();
    int done = 0;
    scope.spawn([&] {
      delay(1ms);
      ++done;
    });
    yield();
    scope.dispose_safely();
    EXPECT_THROW(scope.spawn([] {}), MisuseError);
    delay(5ms);
    EXPECT_EQ(done, 1);
  });
}

TEST_P(ScopeEnds, WhatAZombieStartsIsOneToo) {
  // SC-14
  int ended = 0;
  run([&] {
    Scope scope = Scope::inherit();
    scope.finally([&] { ++ended; });
    auto zombie = scope.spawn([&] {
      TaskScope before;
      before.spawn([] { delay(24h); });
      delay(2ms);
      TaskScope after;
      after.spawn([] { delay(24h); });
      after.join();
    });
    yield();
    scope.dispose_safely();
    EXPECT_TRUE(scope.is_finished());
    delay(5ms);
    EXPECT_TRUE(scope.is_finished());
    EXPECT_FALSE(zombie.is_finished());
  });
  EXPECT_EQ(ended, 1);
}

TEST_P(ScopeEnds, WhatAZombieFailsToSpawnIsNotCounted) {
  // SC-14 R4
  run([] {
    Scope scope = Scope::inherit();
    scope.spawn([] {
      delay(1ms);
      struct Uncopyable {
        Uncopyable() = default;
        Uncopyable(const Uncopyable&) { throw std::runtime_error("no copy"); }
        void operator()() const {}
      };
      const Uncopyable body;
      TaskScope tasks;
      EXPECT_THROW(tasks.spawn(body), std::runtime_error);
    });
    yield();
    scope.dispose_safely();
    delay(5ms);
  });
}

TEST_P(ScopeEnds, ZombiesCanStillBeCancelled) {
  run([] {
    Scope scope = Scope::inherit();
    auto task = scope.spawn([] { delay(1h); });
    yield();
    scope.dispose_safely();
    scope.cancel();
    scope.await_after_cancellation();
    EXPECT_TRUE(task.is_cancelled());
  });
}

TEST_P(ScopeEnds, DisposeAfterCancelsWhatIsLeftThen) {
  // SC-04
  run([] {
    Scope scope = Scope::inherit();
    auto quick = scope.spawn([] { delay(1ms); });
    auto slow = scope.spawn([] { delay(1h); });
    scope.dispose_after(10ms);
    scope.await_completion();
    EXPECT_FALSE(quick.is_cancelled());
    EXPECT_TRUE(slow.is_cancelled());
    EXPECT_TRUE(scope.is_closed());
  });
}

TEST_P(ScopeEnds, ADisposalThatIsNoLongerNeededLeavesNothingBehind) {
  // SC-04: the ledger is checked after the run
  run([] {
    Scope scope = Scope::inherit();
    scope.dispose_after(1h);
    EXPECT_EQ(Scope::current(), Scope::root());
    scope.spawn([] { delay(1ms); });
    scope.await_completion();
    EXPECT_FALSE(scope.is_closed());
    Scope idle = Scope::inherit();
    idle.dispose_after(1ms);
    delay(5ms);
    EXPECT_TRUE(idle.is_closed());
    EXPECT_THROW(idle.spawn([] {}), MisuseError);
  });
}

TEST_P(ScopeEnds, APinRefusesDisposalUntilItsOwnerLetsGo) {
  // SC-05 SC-06
  run([] {
    std::optional<Scope> parent = Scope::inherit();
    std::optional<Scope> scope = Scope::inherit(*parent);
    int ended = 0;
    {
      ScopePin pin(*scope);
      Scope named(Ref<detail::ScopeState>(&scope->state()));
      scope->finally([&] { ++ended; });
      EXPECT_FALSE(scope->dispose());
      EXPECT_FALSE(scope->dispose_safely());
      EXPECT_FALSE(scope->is_closed());
      scope.reset();
      EXPECT_FALSE(named.is_closed());
      auto task = named.spawn([] { delay(1h); });
      yield();
      parent->dispose();
      parent->dispose();
      parent.reset();
      named.await_completion();
      EXPECT_TRUE(task.is_cancelled()) << "cancelling goes down all the same";
      yield();
      EXPECT_EQ(ended, 0);
    }
    yield();
    EXPECT_EQ(ended, 1);
  });
}

TEST_P(ScopeEnds, AwaitAfterCancellationNeedsAnEndAndTearsItsHandlerDown) {
  // SC-02
  run([] {
    Scope scope = Scope::inherit();
    EXPECT_THROW(scope.await_after_cancellation(), MisuseError);
    scope.set_exception_handler([](const std::exception_ptr&, const Coroutine&) {});
    scope.spawn([] {
      try {
        delay(1h);
      } catch (const Cancelled&) {
        delay(20ms);
        throw std::runtime_error("in cleanup");
      }
    });
    yield();
    scope.cancel();
    int heard = 0;
    const ScopeErrorHandler handler = [&](const std::exception_ptr&, const Coroutine&) { ++heard; };
    EXPECT_THROW(scope.await_after_cancellation(handler, timeout(1ms)), OperationCancelled);
    EXPECT_FALSE(detail::Access::state(scope).settled().has_subscribers());
    EXPECT_TRUE(detail::Access::state(scope).ending.empty());
    scope.await_after_cancellation(handler);
    EXPECT_EQ(heard, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
