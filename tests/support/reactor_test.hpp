// ReactorTest: a fixture that runs a test on the native and the simulated reactor. After every run it checks that the
// leak report is empty.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "reactor/sim/sim_reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {

enum class ReactorKind { libuv, simulated };

inline std::string reactor_name(const ::testing::TestParamInfo<ReactorKind>& info) {
  return info.param == ReactorKind::libuv ? "Libuv" : "Simulated";
}

inline std::unique_ptr<Runtime> make_runtime(ReactorKind kind, RuntimeOptions options = {}) {
  if (kind == ReactorKind::libuv) return std::make_unique<Runtime>(std::move(options));
  return detail::Access::make_runtime(std::move(options), std::make_unique<detail::SimReactor>());
}

inline void expect_no_leaks(const Runtime& runtime) {
  const LeakReport report = runtime.leak_report();
  EXPECT_EQ(report.coroutines, 0u);
  EXPECT_EQ(report.stacks, 0u);
  EXPECT_EQ(report.timers, 0u);
  EXPECT_EQ(report.events, 0u);
  EXPECT_EQ(report.microtasks, 0u);
}

class ReactorTest : public ::testing::TestWithParam<ReactorKind> {
 protected:
  // Runs `function` as main in a new runtime. Exceptions propagate; the leak report is checked in any case.
  template <class F>
  auto run(F&& function, RuntimeOptions options = {}) {
    runtime_ = make_runtime(GetParam(), std::move(options));
    struct Check {
      Runtime& runtime;
      ~Check() { expect_no_leaks(runtime); }
    } check{*runtime_};
    return runtime_->run(std::forward<F>(function));
  }

  // The runtime of the last run.
  Runtime& runtime() { return *runtime_; }
  detail::Scheduler& scheduler() { return detail::Access::scheduler(*runtime_); }

 private:
  std::unique_ptr<Runtime> runtime_;
};

}  // namespace trueasync::test

// Instantiates the tests of a fixture that derives from ReactorTest.
#define TRUEASYNC_TEST_ON_ALL_REACTORS(Fixture)                                                            \
  INSTANTIATE_TEST_SUITE_P(                                                                                \
      Reactors, Fixture,                                                                                   \
      ::testing::Values(::trueasync::test::ReactorKind::libuv, ::trueasync::test::ReactorKind::simulated), \
      ::trueasync::test::reactor_name)
