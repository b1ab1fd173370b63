// HostHooks: a host saves and restores its global state at every switch, so that each coroutine has its own.
#include <gtest/gtest.h>

#include <vector>

#include "scheduler/fast_path.hpp"
#include "scheduler/scheduler.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::ControlBlock;

// The global state of the host is one register. SavedState holds its value for a coroutine that is not running.
struct SavedState {
  int value = 0;
  bool started = false;
};
int host_register = 0;
std::vector<std::unique_ptr<SavedState>> saved_states;

SavedState* state_of(ControlBlock& block) { return static_cast<SavedState*>(block.host); }

void save(ControlBlock& block) noexcept {
  if (SavedState* state = state_of(block)) state->value = host_register;
}
void load(ControlBlock& block) noexcept {
  if (SavedState* state = state_of(block); state && state->started) host_register = state->value;
}
void leave(ControlBlock& block, bool finishing) noexcept {
  if (!finishing) save(block);
}
void enter(ControlBlock& block) noexcept {
  SavedState* state = state_of(block);
  if (!state) return;
  if (state->started) return load(block);
  state->started = true;
  host_register = 0;
}
void switch_state(ControlBlock& from, ControlBlock& to) noexcept {
  save(from);
  load(to);
}

struct SwitchState {
  static constexpr bool kIsHost = true;
  void operator()(ControlBlock& from, ControlBlock& to) const noexcept { switch_state(from, to); }
};

constexpr detail::HostHooks kLeaveAndEnter{&leave, &enter};
constexpr detail::HostHooks kSwitch{&leave, &enter, &switch_state};

class HostTest : public ReactorTest {
 protected:
  // Main has started before the hooks are set: its state is in the register.
  template <class F>
  void run_hosted(const detail::HostHooks& hooks, F&& function) {
    host_register = 0;
    run([&] {
      attach_state(*scheduler().main());
      state_of(*scheduler().main())->started = true;
      scheduler().set_host(&hooks);
      function();
      while (runtime().statistics().alive != 0) delay(1ms);
      scheduler().set_host(nullptr);
    });
    saved_states.clear();
  }
  template <class F>
  auto spawn_hosted(F&& function) {
    auto task = spawn(std::forward<F>(function));
    attach_state(*detail::Access::block(task.coroutine()));
    return task;
  }
  static void attach_state(ControlBlock& block) {
    saved_states.push_back(std::make_unique<SavedState>());
    block.host = saved_states.back().get();
  }
};

// Writes a number to the register, suspends and checks that the register still has it. Counts the errors.
void check_register(int number, const std::function<void()>& suspend, int& errors) {
  errors += host_register != 0;
  for (int round = 0; round < 5; ++round) {
    host_register = number + round;
    suspend();
    errors += host_register != number + round;
  }
}

TEST_P(HostTest, EachCoroutineHasItsOwnHostState) {
  for (const detail::HostHooks* hooks : {&kLeaveAndEnter, &kSwitch}) {
    int errors = 0;
    run_hosted(*hooks, [&] {
      host_register = -1;
      auto yielding = spawn_hosted([&] {
        check_register(
            10, [] { yield(); }, errors);
      });
      auto sleeping = spawn_hosted([&] {
        check_register(
            20, [] { delay(1ms); }, errors);
      });
      auto awaiting = spawn_hosted([&] {
        check_register(
            30,
            [&] {
              auto child = spawn_hosted([&] { errors += std::exchange(host_register, 99) != 0; });
              await(child);
            },
            errors);
      });
      await(yielding);
      errors += host_register != -1;
      await(sleeping);
      await(awaiting);
      errors += host_register != -1;
    });
    EXPECT_EQ(errors, 0) << (hooks == &kLeaveAndEnter ? "on_leave and on_enter" : "on_switch");
  }
}

TEST_P(HostTest, InlinedYieldSwitchesHostState) {
  int errors = 0;
  run_hosted(kSwitch, [&] {
    auto yield_inline = [&] { scheduler().yield_fast(SourceLocation::current(), SwitchState()); };
    auto a = spawn_hosted([&] { check_register(10, yield_inline, errors); });
    auto b = spawn_hosted([&] { check_register(20, yield_inline, errors); });
    auto c = spawn_hosted([&] {
      check_register(
          30, [] { delay(1ms); }, errors);
    });
    host_register = -1;
    for (int i = 0; i < 20; ++i) yield_inline();
    errors += host_register != -1;
    await(c);
  });
  EXPECT_EQ(errors, 0);
}

TEST_P(HostTest, LeaveIsCalledOnlyAfterEnter) {
  static int entered, finished;
  entered = finished = 0;
  constexpr detail::HostHooks kCount{[](ControlBlock&, bool finishing) noexcept { finished += finishing; },
                                     [](ControlBlock&) noexcept { ++entered; }};
  run([&] {
    scheduler().set_host(&kCount);
    auto first = spawn([] {});
    auto never = spawn([] { ADD_FAILURE() << "a coroutine cancelled before its start ran"; });
    // `never` has been taken from the ready queue to start right after `first`.
    add_switch_handler(first.coroutine(), [&](const Coroutine&, SwitchKind kind) {
      if (kind == SwitchKind::finish) never.cancel();
      return true;
    });
    await(first);
    EXPECT_THROW(await(never), Cancelled);
    scheduler().set_host(nullptr);
  });
  EXPECT_EQ(finished, 1);
}

TEST_P(HostTest, CancelHookMustNotSuspend) {
  static bool rejected;
  rejected = false;
  constexpr detail::HostHooks kSuspends{[](ControlBlock&, bool) noexcept {}, [](ControlBlock&) noexcept {}, nullptr,
                                        [](ControlBlock&) noexcept {
                                          try {
                                            yield();
                                          } catch (const MisuseError&) {
                                            rejected = true;
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
  EXPECT_TRUE(rejected);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(HostTest);

}  // namespace
}  // namespace trueasync::test
