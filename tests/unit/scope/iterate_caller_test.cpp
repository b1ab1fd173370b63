// iterate(): the call that runs in the caller's own coroutine. Stopping the iteration interrupts it like the other calls,
// without an effect on the caller afterwards.
#include "trueasync/scope/iterate.hpp"
#include "unit/scope/iterate_support.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class IterateCallerTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(IterateCallerTest);

// An event that cannot reclaim a notification from a cancelled waiter.
class NonReclaimingEvent final : public Event {
 public:
  void fire() { notify({}); }
  std::string describe() const override { return "a non-reclaiming event"; }
  bool reclaim(Subscription&) noexcept override { return false; }
};

// R1
TEST_P(IterateCallerTest, WokenCallEndsAtItsNextWait) {
  run([] {
    auto event = Ref<NonReclaimingEvent>::adopt(new NonReclaimingEvent);
    int woken = 0;
    int finished = 0;
    iterate(std::vector{0, 1}, [&](int value) {
      if (value == 1) {
        event->fire();  // wakes the caller's call before the iteration is stopped
        return false;
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

// CA-06
TEST_P(IterateCallerTest, ProtectedCallEndsAfterProtect) {
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
    delay(1ms);  // the caller itself is not interrupted
  });
}

// CA-01
TEST_P(IterateCallerTest, CallThatCatchesCancelledIsInterruptedAgain) {
  run([] {
    int interrupted = 0;
    iterate(numbers(2), [&](int value) {
      if (value == 1) {
        yield();
        return false;
      }
      for (int i = 0; i < 3; ++i) {
        try {
          delay(100ms);
        } catch (const Cancelled&) {
          ++interrupted;
          delay(1ms);  // cleanup may suspend
        }
      }
      return true;
    });
    EXPECT_EQ(interrupted, 3);
    delay(1ms);
  });
}

// CA-01
TEST_P(IterateCallerTest, CallInNestedIterationIsInterrupted) {
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
