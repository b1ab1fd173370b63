// Disposal of scopes: zombies, timeouts, pins.
#include "scope/scope_state.hpp"
#include "support/reactor_test.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeDisposeTest : public ReactorTest {};
// Only in virtual time, so that the order of timers does not depend on the speed of the machine.
INSTANTIATE_TEST_SUITE_P(Reactors, ScopeDisposeTest, ::testing::Values(ReactorKind::simulated), reactor_name);

// SC-03
TEST_P(ScopeDisposeTest, DisposeCancelsByDefault) {
  run([] {
    Scope scope = Scope::inherit();
    auto task = scope.spawn([] { delay(1h); });
    yield();
    EXPECT_TRUE(scope.dispose());
    scope.await_after_cancellation();
    EXPECT_TRUE(task.is_cancelled());
  });
}

// SC-03
TEST_P(ScopeDisposeTest, LastOwningHandleDisposes) {
  run([] {
    Task<void> task;
    {
      Scope scope = Scope::inherit();
      Scope copy = scope;
      Scope moved = std::move(scope);
      task = moved.spawn([] {
        Scope::current();  // does not own the scope
        delay(1h);
      });
      yield();
      EXPECT_FALSE(copy.is_closed());
    }
    EXPECT_THROW(await(task), Cancelled);
  });
}

// SC-03
TEST_P(ScopeDisposeTest, AllowZombiesIsInheritedByChildScopes) {
  run([] {
    Scope parent = Scope::inherit();
    parent.allow_zombies();
    Scope child = Scope::inherit(parent);
    bool done = false;
    auto task = child.spawn([&] {
      delay(2ms);
      done = true;
    });
    yield();
    EXPECT_TRUE(child.dispose());
    EXPECT_TRUE(child.is_closed());
    EXPECT_TRUE(child.is_finished()) << "zombies do not count";
    EXPECT_TRUE(parent.is_finished());
    child.await_after_cancellation();
    EXPECT_TRUE(done);
  });
}

// SC-14
TEST_P(ScopeDisposeTest, ZombiesNeitherKeepProgramAliveNorCountAsDeadlock) {
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
      WaitEntry entry(current_coroutine().event());  // its own end: never fires
      WaitRequest request;
      request.entries = std::span(&entry, 1);
      if (wait(request) == WakeReason::cancelled) throw Cancelled("cancelled");
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

// SC-14
TEST_P(ScopeDisposeTest, ZombieKeepsRunningAfterDisposal) {
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

// SC-14
TEST_P(ScopeDisposeTest, CoroutineSpawnedByZombieIsZombie) {
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

// SC-14 R4
TEST_P(ScopeDisposeTest, FailedSpawnOfZombieIsNotCounted) {
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

TEST_P(ScopeDisposeTest, ZombieCanBeCancelled) {
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

// SC-04
TEST_P(ScopeDisposeTest, DisposeAfterCancelsRemainingCoroutines) {
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

// SC-04
TEST_P(ScopeDisposeTest, UnneededDisposeAfterLeavesNoTimer) {  // run() checks the leak report
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

// SC-05 SC-06
TEST_P(ScopeDisposeTest, PinPreventsDisposalUntilReleased) {
  run([] {
    std::optional<Scope> parent = Scope::inherit();
    std::optional<Scope> scope = Scope::inherit(*parent);
    int ended = 0;
    {
      ScopePin pin(*scope);
      ScopeRef handle = *scope;
      scope->finally([&] { ++ended; });
      EXPECT_FALSE(scope->dispose());
      EXPECT_FALSE(scope->dispose_safely());
      EXPECT_FALSE(scope->is_closed());
      scope.reset();
      EXPECT_FALSE(handle.is_closed());
      auto task = handle.spawn([] { delay(1h); });
      yield();
      parent->dispose();
      parent->dispose();
      parent.reset();
      handle.await_completion();
      EXPECT_TRUE(task.is_cancelled()) << "a pin does not prevent cancellation";
      yield();
      EXPECT_EQ(ended, 0);
    }
    yield();
    EXPECT_EQ(ended, 1);
  });
}

// SC-02
TEST_P(ScopeDisposeTest, AwaitAfterCancellationRemovesItsHandler) {
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
    int errors = 0;
    const ScopeErrorHandler handler = [&](const std::exception_ptr&, const Coroutine&) { ++errors; };
    EXPECT_THROW(scope.await_after_cancellation(handler, timeout(1ms)), OperationCancelled);
    EXPECT_FALSE(detail::Access::state(scope).end_event().has_subscribers());
    EXPECT_TRUE(detail::Access::state(scope).end_observers.empty());
    scope.await_after_cancellation(handler);
    EXPECT_EQ(errors, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
