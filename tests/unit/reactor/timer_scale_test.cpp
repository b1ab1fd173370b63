// A million timers, and timers in waits for several events.
#include "reactor/sim/sim_reactor.hpp"
#include "reactor/timer_event.hpp"
#include "recording_subscriber.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::SimReactor;
using detail::TimerEvent;

// TM-03 REA-02
TEST(TimerScale, MillionTimersFireInOrderExceptCancelled) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr std::size_t kTimers = 100'000;  // allocation is slow under a sanitizer
#else
  constexpr std::size_t kTimers = 1'000'000;
#endif
  SimReactor reactor;
  std::vector<Ref<TimerEvent>> timers;
  timers.reserve(kTimers);
  for (std::size_t i = 0; i < kTimers; ++i) {
    // Consecutive timers have deadlines far apart, so that the heap is not filled in sorted order.
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
  EXPECT_FALSE(timers[0]->replay(result)) << "stopped before its deadline";
  EXPECT_TRUE(timers[1]->replay(result));
}

// TM-01 TM-03 TM-04 SUS-01
TEST(TimerInWaitAny, PeriodicAndRearmedTimersEndWaits) {
  auto owned_reactor = std::make_unique<SimReactor>();
  SimReactor& reactor = *owned_reactor;
  const auto owned_runtime = detail::Access::make_runtime(RuntimeOptions{}, std::move(owned_reactor));
  Runtime& runtime = *owned_runtime;
  runtime.run([&] {
    auto periodic = Ref<TimerEvent>::adopt(new TimerEvent(reactor, 10ms, 10ms));
    auto watchdog = Ref<TimerEvent>::adopt(new TimerEvent(reactor, 35ms));
    watchdog->fix_due_time();
    Trigger never;
    Event* events[] = {periodic.get(), watchdog.get(), &never.event()};
    for (int tick = 0; tick < 3; ++tick) EXPECT_EQ(wait_any(events), 0u);
    EXPECT_EQ(wait_any(events), 1u) << "the 35 ms deadline precedes the fourth tick";
    reactor.advance(100ms);  // ten ticks are missed
    watchdog->rearm(12ms);
    EXPECT_EQ(wait_any(events), 0u) << "the missed ticks are due, the rearmed timer is not";
    EXPECT_EQ(wait_any(events), 0u);
    EXPECT_EQ(wait_any(events), 1u);
    EXPECT_EQ(reactor.timers().size(), 0u) << "the wait stops the timers that did not end it";
  });
}

}  // namespace
}  // namespace trueasync::test
