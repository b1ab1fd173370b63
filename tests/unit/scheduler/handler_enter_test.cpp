// A switch handler that somebody else adds while its coroutine is suspended sees the next ENTER, however that
// coroutine was suspended.
#include "manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using Kinds = std::vector<SwitchKind>;

class HandlerEnter : public ReactorTest {
 protected:
  // Suspends `task` by `suspend_it`, adds a handler meanwhile, and returns what the handler saw.
  template <class F>
  Kinds seen_after(F suspend_it) {
    Kinds kinds;
    run([&] {
      auto watched = spawn([&] {
        yield();
        suspend_it();
      });
      auto adds = spawn([&] {
        yield();
        add_switch_handler(watched.coroutine(), [&](const Coroutine& self, SwitchKind kind) {
          EXPECT_EQ(self, watched.coroutine());
          kinds.push_back(kind);
          return true;
        });
      });
      await(adds);
      await(watched);
    });
    return kinds;
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(HandlerEnter);

// SWH-01
TEST_P(HandlerEnter, IsSeenAfterAYield) {
  EXPECT_EQ(seen_after([] { yield(); }), (Kinds{SwitchKind::enter, SwitchKind::finish}));
}

// SWH-01
TEST_P(HandlerEnter, IsFollowedByEveryPairAfterIt) {
  const auto twice = [] {
    yield();
    yield();
  };
  EXPECT_EQ(seen_after(twice), (Kinds{SwitchKind::enter, SwitchKind::leave, SwitchKind::enter, SwitchKind::finish}));
}

// SWH-01
TEST_P(HandlerEnter, IsSeenAfterADelay) {
  EXPECT_EQ(seen_after([] { delay(1ms); }), (Kinds{SwitchKind::enter, SwitchKind::finish}));
}

// SWH-01
TEST_P(HandlerEnter, IsSeenByMainAfterAYield) {
  Kinds kinds;
  run([&] {
    const Coroutine main = current_coroutine();
    auto first = spawn([] {
      for (int i = 0; i < 4; ++i) yield();
    });
    auto adds = spawn([&] {
      yield();
      add_switch_handler(main, [&](const Coroutine&, SwitchKind kind) {
        kinds.push_back(kind);
        return false;
      });
    });
    for (int i = 0; i < 4; ++i) yield();
    await(first);
    await(adds);
  });
  EXPECT_EQ(kinds, Kinds{SwitchKind::enter});
}

}  // namespace
}  // namespace trueasync::test
