// A million timers, and timers among other events.
#include "reactor/sim/sim_reactor.hpp"
#include "reactor/timer_event.hpp"
#include "recording_subscriber.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::SimReactor;
using detail::TimerEvent;

TEST(TimerScale, AMillionTimersFireInOrderAndCancelledOnesLeaveNothing) {
  // TM-03 REA-02
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr std::size_t kTimers = 100'000;  // a checked heap takes its time
#else
  constexpr std::size_t kTimers = 1'000'000;
#endif
  SimReactor reactor;
  std::vector<Ref<TimerEvent>> timers;
  timers.reserve(kTimers);
  for (std::size_t i = 0; i < kTimers; ++i) {
    // Not in order: neighbours are far apart.
    const auto due = std::chrono::microseconds(1 + (i * 7919) % kTimers);
    timers.push_back(Ref<TimerEvent>::adopt(new TimerEvent(reactor, due)));
    ASSERT_FALSE(timers.back()->start());
  }
  EXPECT_EQ(reactor.timers().size(), kTimers);
  for (std::size_t i = 0; i < kTimers; i += 2) timers[i]->stop();
  EXPECT_EQ(reactor.timers().size(), kTimers / 2);
  TimePoint last = TimePoint::min();
  while (reactor.timers().size() != 0) {
    ASSERT_GE(reactor.timers().next(), last);
    last = reactor.timers().next();
    reactor.advance(last - reactor.now() + 100ms);
    reactor.run_once(true);
  }
  for (std::size_t i = 1; i < kTimers; i += 2) timers[i]->stop();
  EXPECT_FALSE(reactor.has_foreground_work());
  Notification result;
  EXPECT_FALSE(timers[0]->replay(result)) << "stopped in time";
  EXPECT_TRUE(timers[1]->replay(result));
}

TEST(TimerAmongOthers, APeriodicAndARearmedTimerTakePartInWaitsOfSeveral) {
  // TM-01 TM-04 SUS-01
  auto made = std::make_unique<SimReactor>();
  SimReactor& reactor = *made;
  Runtime runtime({}, std::move(made));
  runtime.run([&] {
    auto periodic = Ref<TimerEvent>::adopt(new TimerEvent(reactor, 10ms, 10ms));
    auto watchdog = Ref<TimerEvent>::adopt(new TimerEvent(reactor, 35ms));
    watchdog->fix_due_time();
    Trigger never;
    Event* events[] = {periodic.get(), watchdog.get(), &never.event()};
    for (int tick = 0; tick < 3; ++tick) EXPECT_EQ(wait_any(events), 0u);
    EXPECT_EQ(wait_any(events), 1u) << "35 ms are over before the fourth tick";
    reactor.advance(100ms);  // work that took long
    watchdog->rearm(12ms);
    EXPECT_EQ(wait_any(events), 0u) << "counted from now, it is not due yet; the ticks that were missed are";
    EXPECT_EQ(wait_any(events), 0u);
    EXPECT_EQ(wait_any(events), 1u);
    EXPECT_EQ(reactor.timers().size(), 0u) << "the losers of a wait leave nothing (TM-03)";
  });
}

}  // namespace
}  // namespace trueasync::test
