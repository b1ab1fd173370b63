// A switch handler that is added while its coroutine is suspended is called with the next `enter`.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using Kinds = std::vector<SwitchKind>;

class SwitchHandlerEnter : public ReactorTest {
 protected:
  // A coroutine suspends by `suspend`. Another coroutine adds a switch handler to it. Returns the calls of the handler.
  template <class F>
  Kinds calls_after(F suspend) {
    Kinds kinds;
    run([&] {
      auto watched = spawn([&] {
        yield();
        suspend();
      });
      auto adder = spawn([&] {
        yield();
        add_switch_handler(watched.coroutine(), [&](const Coroutine& self, SwitchKind kind) {
          EXPECT_EQ(self, watched.coroutine());
          kinds.push_back(kind);
          return true;
        });
      });
      await(adder);
      await(watched);
    });
    return kinds;
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(SwitchHandlerEnter);

// SWH-01
TEST_P(SwitchHandlerEnter, FollowsYield) {
  EXPECT_EQ(calls_after([] { yield(); }), (Kinds{SwitchKind::enter, SwitchKind::finish}));
}

// SWH-01
TEST_P(SwitchHandlerEnter, IsFollowedByAllLaterSwitches) {
  const auto twice = [] {
    yield();
    yield();
  };
  EXPECT_EQ(calls_after(twice), (Kinds{SwitchKind::enter, SwitchKind::leave, SwitchKind::enter, SwitchKind::finish}));
}

// SWH-01
TEST_P(SwitchHandlerEnter, FollowsDelay) {
  EXPECT_EQ(calls_after([] { delay(1ms); }), (Kinds{SwitchKind::enter, SwitchKind::finish}));
}

// SWH-01
TEST_P(SwitchHandlerEnter, FollowsYieldOfMain) {
  Kinds kinds;
  run([&] {
    const Coroutine main = current_coroutine();
    auto first = spawn([] {
      for (int i = 0; i < 4; ++i) yield();
    });
    auto adder = spawn([&] {
      yield();
      add_switch_handler(main, [&](const Coroutine&, SwitchKind kind) {
        kinds.push_back(kind);
        return false;
      });
    });
    for (int i = 0; i < 4; ++i) yield();
    await(first);
    await(adder);
  });
  EXPECT_EQ(kinds, Kinds{SwitchKind::enter});
}

}  // namespace
}  // namespace trueasync::test
