// Helpers of the scheduler tests: a runtime with a simulated clock, differences of statistics, skips under valgrind.
#pragma once

#include <memory>
#include <utility>

#include "context/valgrind.hpp"
#include "support/manual_event.hpp"
#include "support/reactor_test.hpp"

#define TRUEASYNC_SKIP_UNDER_VALGRIND(reason) \
  if (::trueasync::detail::running_on_valgrind()) GTEST_SKIP() << "valgrind: " << reason

namespace trueasync::test {

// SimRuntime: a runtime on a simulated reactor, with access to the reactor.
struct SimRuntime {
  explicit SimRuntime(std::chrono::nanoseconds clock_step = {}, RuntimeOptions options = {}) {
    auto owned_reactor = std::make_unique<detail::SimReactor>(clock_step);
    reactor = owned_reactor.get();
    runtime = detail::Access::make_runtime(std::move(options), std::move(owned_reactor));
  }
  ~SimRuntime() { expect_no_leaks(*runtime); }

  detail::SimReactor* reactor;
  std::unique_ptr<Runtime> runtime;
};

// The difference of the counters. Fields that are not counters keep the current value.
inline Statistics operator-(Statistics now, const Statistics& before) {
  now.spawned -= before.spawned;
  now.finished -= before.finished;
  now.switches -= before.switches;
  now.direct_switches -= before.direct_switches;
  now.scheduler_switches -= before.scheduler_switches;
  now.started_without_switch -= before.started_without_switch;
  now.resumed_in_place -= before.resumed_in_place;
  now.ready_without_suspend -= before.ready_without_suspend;
  now.polls_without_wait -= before.polls_without_wait;
  now.polls_blocking -= before.polls_blocking;
  now.microtasks -= before.microtasks;
  now.deadlocks -= before.deadlocks;
  return now;
}

}  // namespace trueasync::test
