// A host follows the switches: what it keeps in globals is every coroutine's own (HostHooks).
#include <gtest/gtest.h>

#include <vector>

#include "scheduler/fast_path.hpp"
#include "scheduler/scheduler.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::ControlBlock;

// The host's "engine": one register, and where it is kept for a coroutine that does not run.
struct Keep {
  int saved = 0;
  bool begun = false;
};
int engine_register = 0;
std::vector<std::unique_ptr<Keep>> keeps;

Keep* keep_of(ControlBlock& block) { return static_cast<Keep*>(block.host); }

void save(ControlBlock& block) noexcept {
  if (Keep* keep = keep_of(block)) keep->saved = engine_register;
}
void load(ControlBlock& block) noexcept {
  if (Keep* keep = keep_of(block); keep && keep->begun) engine_register = keep->saved;
}
void leave(ControlBlock& block, bool finishing) noexcept {
  if (!finishing) save(block);
}
void enter(ControlBlock& block) noexcept {
  Keep* keep = keep_of(block);
  if (!keep) return;
  if (keep->begun) return load(block);
  keep->begun = true;
  engine_register = 0;
}
void exchange(ControlBlock& from, ControlBlock& to) noexcept {
  save(from);
  load(to);
}

struct Exchange {
  static constexpr bool kIsHost = true;
  void operator()(ControlBlock& from, ControlBlock& to) const noexcept { exchange(from, to); }
};

constexpr detail::HostHooks kPair{&leave, &enter};
constexpr detail::HostHooks kExchange{&leave, &enter, &exchange};

class HostTest : public ReactorTest {
 protected:
  // Main's own state is in the register from the beginning.
  template <class F>
  void run_hosted(const detail::HostHooks& hooks, F&& function) {
    engine_register = 0;
    run([&] {
      give_keep(*scheduler().main());
      keep_of(*scheduler().main())->begun = true;
      scheduler().set_host(&hooks);
      function();
      while (runtime().statistics().alive != 0) delay(1ms);
      scheduler().set_host(nullptr);
    });
    keeps.clear();
  }
  template <class F>
  auto spawn_hosted(F&& function) {
    auto task = spawn(std::forward<F>(function));
    give_keep(*detail::Access::block(task.coroutine()));
    return task;
  }
  static void give_keep(ControlBlock& block) {
    keeps.push_back(std::make_unique<Keep>());
    block.host = keeps.back().get();
  }
};

// Each puts its number into the register, and finds it there after whatever it has waited for.
void hold_own(int number, const std::function<void()>& wait, int& wrong) {
  wrong += engine_register != 0;
  for (int round = 0; round < 5; ++round) {
    engine_register = number + round;
    wait();
    wrong += engine_register != number + round;
  }
}

TEST_P(HostTest, WhatItKeepsInGlobalsIsEveryCoroutinesOwn) {
  for (const detail::HostHooks* hooks : {&kPair, &kExchange}) {
    int wrong = 0;
    run_hosted(*hooks, [&] {
      engine_register = -1;
      auto yields = spawn_hosted([&] {
        hold_own(
            10, [] { yield(); }, wrong);
      });
      auto sleeps = spawn_hosted([&] {
        hold_own(
            20, [] { delay(1ms); }, wrong);
      });
      auto both = spawn_hosted([&] {
        hold_own(
            30,
            [&] {
              auto child = spawn_hosted([&] { wrong += std::exchange(engine_register, 99) != 0; });
              await(child);
            },
            wrong);
      });
      await(yields);
      wrong += engine_register != -1;
      await(sleeps);
      await(both);
      wrong += engine_register != -1;
    });
    EXPECT_EQ(wrong, 0) << (hooks == &kPair ? "leave and enter" : "exchange");
  }
}

TEST_P(HostTest, AYieldInLineExchangesTheSame) {
  int wrong = 0;
  run_hosted(kExchange, [&] {
    auto in_line = [&] { scheduler().yield_fast(SourceLocation::current(), Exchange()); };
    auto a = spawn_hosted([&] { hold_own(10, in_line, wrong); });
    auto b = spawn_hosted([&] { hold_own(20, in_line, wrong); });
    auto c = spawn_hosted([&] {
      hold_own(
          30, [] { delay(1ms); }, wrong);
    });
    engine_register = -1;
    for (int i = 0; i < 20; ++i) in_line();
    wrong += engine_register != -1;
    await(c);
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(HostTest, IsToldOfALeaveOnlyOfThoseItSawEnter) {
  static int entered, left;
  entered = left = 0;
  constexpr detail::HostHooks kCount{[](ControlBlock&, bool finishing) noexcept { left += finishing; },
                                     [](ControlBlock&) noexcept { ++entered; }};
  run([&] {
    scheduler().set_host(&kCount);
    auto first = spawn([] {});
    auto never = spawn([] { ADD_FAILURE() << "it was cancelled before it began"; });
    // It has left the queue to start when the one before it ends.
    add_switch_handler(first.coroutine(), [&](const Coroutine&, SwitchKind kind) {
      if (kind == SwitchKind::finish) never.cancel();
      return true;
    });
    await(first);
    EXPECT_THROW(await(never), Cancelled);
    scheduler().set_host(nullptr);
  });
  EXPECT_EQ(left, 1);
}

TEST_P(HostTest, MustNotSuspendInWhatItDoesAboutACancellation) {
  static bool refused;
  refused = false;
  constexpr detail::HostHooks kSuspends{[](ControlBlock&, bool) noexcept {}, [](ControlBlock&) noexcept {}, nullptr,
                                        [](ControlBlock&) noexcept {
                                          try {
                                            yield();
                                          } catch (const MisuseError&) {
                                            refused = true;
                                          }
                                        }};
  run([&] {
    auto task = spawn([] { delay(1h); });
    yield();
    scheduler().set_host(&kSuspends);
    task.cancel();
    scheduler().set_host(nullptr);
    EXPECT_THROW(await(task), Cancelled);
  });
  EXPECT_TRUE(refused);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(HostTest);

}  // namespace
}  // namespace trueasync::test
