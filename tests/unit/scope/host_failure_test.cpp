// Scopes and iterations of a host whose engine failed fatally in a coroutine: only main continues, whatever it waits for.
#include <gtest/gtest.h>

#include <optional>

#include "scheduler/scheduler.hpp"
#include "support/abandoned_coroutine.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/detail/future_state.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class HostFailureTest : public ::testing::TestWithParam<ReactorKind> {
 protected:
  // Runs `wait` in main until another coroutine fails fatally, then ends the runtime.
  template <class F>
  void run_until_failure(F&& wait) {
    const ScopedLeakCheckDisable no_leak_check;  // abandoned frames leak
    runtime_ = make_runtime(GetParam());
    runtime_->attach();
    spawn([this] {
      for (int i = 0; i < 10; ++i) yield();
      log_ += "fails ";
      scheduler().abandon_to_main();
    });
    try {
      wait();
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
  void log(const char* text) { log_ += text; }

  std::unique_ptr<Runtime> runtime_;
  std::string log_;
};

// SH-04
TEST_P(HostFailureTest, OnlyMainContinues) {
  run_until_failure([&] {
    spawn([&] {
      delay(100ms);
      log("sleeper ");
    });
    spawn([&] {
      for (int i = 0; i < 20; ++i) yield();
      log("unstarted ");
    });
    delay(1h);
  });
  EXPECT_EQ(log_, "fails main cancelled ");
}

// SH-04
TEST_P(HostFailureTest, MainDoesNotWaitForTaskScope) {
  run_until_failure([&] {
    TaskScope tasks;
    tasks.spawn([&] {
      try {
        delay(1h);
      } catch (const Cancelled&) {
        log("unwinds ");
        throw;
      }
    });
    tasks.join();
  });
  EXPECT_EQ(log_, "fails main cancelled ");
}

// SH-04
TEST_P(HostFailureTest, MainDoesNotWaitForIteration) {
  for (int at : {0, 1}) {
    log_.clear();
    run_until_failure([&] {
      iterate(std::vector{0, 1, 2}, [&](int i) { delay(i == at ? 1h : 1ms); }, {.concurrency = 2});
    });
    EXPECT_EQ(log_, "fails main cancelled ") << at;
  }
}

// SH-04
TEST_P(HostFailureTest, AwaitersAndFinallyHandlersDoNotRun) {
  std::optional<Scope> scope;
  run_until_failure([&] {
    scope.emplace();
    scope->finally([&] { log("finally "); });
    scope->spawn([] { protect([] { delay(1h); }); });  // still live after the cancellation
    spawn([&] {
      scope->await_completion();
      log("awaiter ");
    });
    spawn([&] { scope->cancel(); });
    delay(1h);
  });
  scope.reset();
  EXPECT_EQ(log_, "fails main cancelled ");
}

// SH-04
TEST_P(HostFailureTest, SkippedNoSuspendGuardOfMainIsReset) {
  runtime_ = make_runtime(GetParam());
  runtime_->attach();
  spawn([] { delay(1h); });
  yield();
  alignas(detail::Scheduler::NoSuspend) std::byte skipped_guard[sizeof(detail::Scheduler::NoSuspend)];
  ::new (skipped_guard) detail::Scheduler::NoSuspend(scheduler(), "a skipped frame");
  end();
}

// SH-08
TEST_P(HostFailureTest, FailureInContinuationDoesNotAffectNextRuntime) {
  struct TestContinuation : detail::Continuation {
    explicit TestContinuation(std::function<void()> action) : act(std::move(action)) {}
    void on_settled() noexcept override { act(); }
    std::function<void()> act;
  };
  TestContinuation failing([this] { scheduler().abandon_to_main(); });
  int settled = 0;
  TestContinuation counting([&] { ++settled; });
  run_until_failure([&] {
    Promise<int> promise;
    Future<int> future = promise.future();
    future.ignore();
    future.state().then(failing);
    spawn([&] { promise.complete(1); });
    delay(1h);
  });
  auto next = make_runtime(GetParam());
  next->run([&] {
    Promise<int> promise;
    Future<int> future = promise.future();
    future.state().then(counting);
    promise.complete(2);
    EXPECT_EQ(await(future), 2);
  });
  EXPECT_EQ(settled, 1);
  EXPECT_EQ(log_, "main cancelled ");
}

TRUEASYNC_TEST_ON_ALL_REACTORS(HostFailureTest);

}  // namespace
}  // namespace trueasync::test
