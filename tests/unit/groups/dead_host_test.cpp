// A host whose engine has died in a coroutine (SH-04): main goes on alone, whatever it waited for, and no code of anybody
// else runs any more.
#include <gtest/gtest.h>

#include <optional>

#include "scheduler/scheduler.hpp"
#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/detail/future_state.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class DeadHostTest : public ::testing::TestWithParam<ReactorKind> {
 protected:
  // Main does `waits`, another dies meanwhile; then the runtime ends.
  template <class F>
  void run_to_death(F&& waits) {
    const ScopedLeakCheckDisable what_their_frames_had;
    runtime_ = make_runtime(GetParam());
    runtime_->attach();
    spawn([this] {
      for (int i = 0; i < 10; ++i) yield();
      log_ += "dies ";
      scheduler().abandon_to_main();
    });
    try {
      waits();
      log_ += "main ";
    } catch (const Cancelled&) {
      log_ += "main cancelled ";
    }
    end();
  }
  void end() {
    scheduler().abandon_others();
    EXPECT_EQ(runtime_->statistics().alive, 0u);
    runtime_->detach();
    expect_no_leaks(*runtime_);
  }
  detail::Scheduler& scheduler() { return detail::Access::scheduler(*runtime_); }
  void tell(const char* what) { log_ += what; }

  std::unique_ptr<Runtime> runtime_;
  std::string log_;
};

TEST_P(DeadHostTest, MainGoesOnAndNobodyElseRuns) {
  // SH-04
  run_to_death([&] {
    spawn([&] {
      delay(100ms);
      tell("sleeper ");
    });
    spawn([&] {
      for (int i = 0; i < 20; ++i) yield();
      tell("unstarted ");
    });
    delay(1h);
  });
  EXPECT_EQ(log_, "dies main cancelled ");
}

TEST_P(DeadHostTest, MainDoesNotWaitForTheTasksOfItsScope) {
  // SH-04
  run_to_death([&] {
    TaskScope tasks;
    tasks.spawn([&] {
      try {
        delay(1h);
      } catch (const Cancelled&) {
        tell("unwinds ");
        throw;
      }
    });
    tasks.join();
  });
  EXPECT_EQ(log_, "dies main cancelled ");
}

TEST_P(DeadHostTest, MainDoesNotWaitForTheCallsOfItsIteration) {
  // SH-04
  for (int at : {0, 1}) {
    log_.clear();
    run_to_death([&] { iterate(std::vector{0, 1, 2}, [&](int i) { delay(i == at ? 1h : 1ms); }, {.concurrency = 2}); });
    EXPECT_EQ(log_, "dies main cancelled ") << at;
  }
}

TEST_P(DeadHostTest, NeitherAwaitersNorFinallyHandlersOfAScopeRun) {
  // SH-04
  std::optional<Scope> scope;
  run_to_death([&] {
    scope.emplace();
    scope->finally([&] { tell("finally "); });
    scope->spawn([] { protect([] { delay(1h); }); });  // so that it outlives the cancellation
    spawn([&] {
      scope->await_completion();
      tell("awaiter ");
    });
    spawn([&] { scope->cancel(); });
    delay(1h);
  });
  scope.reset();
  EXPECT_EQ(log_, "dies main cancelled ");
}

TEST_P(DeadHostTest, WhatWasJumpedOverInMainIsForgotten) {
  // SH-04
  runtime_ = make_runtime(GetParam());
  runtime_->attach();
  spawn([] { delay(1h); });
  yield();
  alignas(detail::Scheduler::NoSuspend) std::byte jumped_over[sizeof(detail::Scheduler::NoSuspend)];
  ::new (jumped_over) detail::Scheduler::NoSuspend(scheduler(), "a frame that is gone");
  end();
}

TEST_P(DeadHostTest, ADeathInALinkOfAChainLeavesTheNextRuntimeAlone) {
  // SH-08
  struct Link : detail::Continuation {
    explicit Link(std::function<void()> action) : act(std::move(action)) {}
    void on_settled() noexcept override { act(); }
    std::function<void()> act;
  };
  Link dies([this] { scheduler().abandon_to_main(); });
  int settled = 0;
  Link counts([&] { ++settled; });
  run_to_death([&] {
    Promise<int> promise;
    Future<int> future = promise.future();
    future.ignore();
    future.state().then(dies);
    spawn([&] { promise.complete(1); });
    delay(1h);
  });
  auto next = make_runtime(GetParam());
  next->run([&] {
    Promise<int> promise;
    Future<int> future = promise.future();
    future.state().then(counts);
    promise.complete(2);
    EXPECT_EQ(await(future), 2);
  });
  EXPECT_EQ(settled, 1);
  EXPECT_EQ(log_, "main cancelled ");
}

TRUEASYNC_TEST_ON_ALL_REACTORS(DeadHostTest);

}  // namespace
}  // namespace trueasync::test
