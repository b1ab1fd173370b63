// The call that runs in the caller's own coroutine when a concurrent iteration is stopped: it ends like the others, and
// nothing of that stays with the caller.
#include "trueasync/iterate.hpp"
#include "unit/groups/iterating.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class IterateCaller : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(IterateCaller);

// What it has promised can't be handed on.
class Stubborn final : public Event {
 public:
  void fire() { notify({}); }
  std::string describe() const override { return "a stubborn event"; }
  bool reclaim(Subscription&) noexcept override { return false; }
};

TEST_P(IterateCaller, TheCallersCallEndsAtItsNextWaitIfItHadJustBeenWoken) {
  // R1
  run([] {
    auto event = Ref<Stubborn>::adopt(new Stubborn);
    int woken = 0;
    int finished = 0;
    iterate(std::vector{0, 1}, [&](int value) {
      if (value == 1) {
        event->fire();  // the caller's call has what it waited for …
        return false;   // … when the iteration is stopped
      }
      Event* events[] = {event.get()};
      wait_any(events);
      ++woken;
      delay(1h);
      ++finished;
      return true;
    });
    EXPECT_EQ(woken, 1);
    EXPECT_EQ(finished, 0);
  });
}

TEST_P(IterateCaller, ACallOfTheCallersThatProtectsItselfEndsRightAfterwards) {
  // CA-06
  run([] {
    int protected_part = 0;
    int finished = 0;
    iterate(numbers(2), [&](int value) {
      if (value == 1) {
        yield();
        return false;
      }
      protect([&] {
        delay(2ms);
        ++protected_part;
      });
      delay(200ms);
      ++finished;
      return true;
    });
    EXPECT_EQ(protected_part, 1);
    EXPECT_EQ(finished, 0);
    delay(1ms);  // and the caller goes on as if nothing had happened
  });
}

TEST_P(IterateCaller, ACallOfTheCallersThatGoesOnIsStoppedAgain) {
  // CA-01
  run([] {
    int stopped = 0;
    iterate(numbers(2), [&](int value) {
      if (value == 1) {
        yield();
        return false;
      }
      for (int i = 0; i < 3; ++i) {
        try {
          delay(100ms);
        } catch (const Cancelled&) {
          ++stopped;
          delay(1ms);  // cleanup may suspend
        }
      }
      return true;
    });
    EXPECT_EQ(stopped, 3);
    delay(1ms);
  });
}

TEST_P(IterateCaller, TheCallersCallIsStoppedInANestedIterationToo) {
  // CA-01
  run([] {
    int inner_ended = 0;
    iterate(numbers(2), [&](int value) {
      if (value == 1) {
        yield();
        return false;
      }
      iterate(numbers(3), [&](int) {
        struct End {
          int& count;
          ~End() { ++count; }
        } end{inner_ended};
        delay(100ms);
        ADD_FAILURE();
      });
      ADD_FAILURE();
      return true;
    });
    EXPECT_EQ(inner_ended, 3);
    delay(1ms);
  });
}

}  // namespace
}  // namespace trueasync::test
