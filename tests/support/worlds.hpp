// Fixture that runs a test on both reactors – libuv and the simulated one – and checks at the end of every run that
// nothing is left: coroutines, stacks, timers, events, microtasks (SHU-03).
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "reactor/sim/sim_reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {

enum class World { libuv, simulated };

inline std::string world_name(const ::testing::TestParamInfo<World>& info) {
  return info.param == World::libuv ? "Libuv" : "Simulated";
}

inline std::unique_ptr<Runtime> make_runtime(World world, RuntimeOptions options = {}) {
  if (world == World::libuv) return std::make_unique<Runtime>(std::move(options));
  return std::make_unique<Runtime>(std::move(options), std::make_unique<detail::SimReactor>());
}

inline void expect_nothing_left(const Runtime& runtime) {
  const Ledger left = runtime.ledger();
  EXPECT_EQ(left.coroutines, 0u);
  EXPECT_EQ(left.stacks, 0u);
  EXPECT_EQ(left.timers, 0u);
  EXPECT_EQ(left.events, 0u);
  EXPECT_EQ(left.microtasks, 0u);
}

class OnBothWorlds : public ::testing::TestWithParam<World> {
 protected:
  // Runs `function` as main in a fresh runtime. Exceptions pass; the ledger is checked either way.
  template <class F>
  auto run(F&& function, RuntimeOptions options = {}) {
    runtime_ = make_runtime(GetParam(), std::move(options));
    struct Check {
      Runtime& runtime;
      ~Check() { expect_nothing_left(runtime); }
    } check{*runtime_};
    return runtime_->run(std::forward<F>(function));
  }

  // The runtime of the last run.
  Runtime& runtime() { return *runtime_; }
  detail::Scheduler& scheduler() { return runtime_->scheduler(); }

 private:
  std::unique_ptr<Runtime> runtime_;
};

}  // namespace trueasync::test

// After the tests of a fixture that derives from OnBothWorlds.
#define TRUEASYNC_ON_BOTH_WORLDS(Fixture)                                                                           \
  INSTANTIATE_TEST_SUITE_P(Worlds, Fixture,                                                                         \
                           ::testing::Values(::trueasync::test::World::libuv, ::trueasync::test::World::simulated), \
                           ::trueasync::test::world_name)
