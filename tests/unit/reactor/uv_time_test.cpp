// The loop and the clock: when a turn blocks, when it ends, what waiting costs.
#include <sys/resource.h>

#include "reactor/timer_event.hpp"
#include "uv_fixture.hpp"

namespace trueasync::test {
namespace {

using detail::TimerEvent;

std::chrono::microseconds cpu_time() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  auto of = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

TEST_F(UvReactorTest, ATurnWithoutWaitNeverBlocks) {
  // REA-01 SCH-05
  Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, 24h));
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber told_timer(*timer);
  RecordingSubscriber told_poll(*poll);
  for (int i = 0; i < 1000; ++i) reactor_.run_once(true);
  EXPECT_EQ(reactor_.counters().polls_without_wait, 1000u);
  EXPECT_EQ(told_timer.times() + told_poll.times(), 0u);
}

TEST_F(UvReactorTest, ATimerNeverFiresEarly) {
  // REA-05 TM-01
  for (auto delay : {0ns, 300'000ns, 1'000'000ns, 2'700'000ns, 10'000'000ns}) {
    Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, delay));
    const TimePoint before = Clock::now();
    RecordingSubscriber told(*timer);
    std::uint64_t turns = 0;
    for (; told.times() == 0 && turns < 100; ++turns) reactor_.run_once(false);
    EXPECT_EQ(told.times(), 1u);
    EXPECT_GE(Clock::now() - before, delay);
    EXPECT_LE(turns, 5u) << "waiting is blocking, not turning";
  }
}

TEST_F(UvReactorTest, WorkBeforeATimerIsArmedDoesNotMakeItFireEarly) {
  // TM-01 REA-05
  reactor_.run_once(true);  // the loop has looked at its clock
  const TimePoint busy_until = Clock::now() + 30ms;
  while (Clock::now() < busy_until) {
  }
  Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, 20ms));
  const TimePoint before = Clock::now();
  RecordingSubscriber told(*timer);
  reactor_.run_once(true);
  if (Clock::now() - before < 20ms) {
    EXPECT_EQ(told.times(), 0u);
  }
  ASSERT_TRUE(turn_until(reactor_, [&] { return told.times() > 0; }));
  EXPECT_GE(Clock::now() - before, 20ms);
}

TEST_F(UvReactorTest, ABlockingTurnEndsAtItsBound) {
  // SCH-05
  const TimePoint bound = Clock::now() + 20ms;
  int turns = 0;
  while (Clock::now() < bound) {
    reactor_.run_once(false, bound);
    ++turns;
  }
  EXPECT_LE(turns, 5);
}

TEST_F(UvReactorTest, ABoundInThePastDoesNotBlock) {
  // SCH-05
  reactor_.run_once(false, Clock::now() - 1h);
  EXPECT_EQ(reactor_.counters().polls_blocking, 1u);
}

TEST_F(UvReactorTest, WaitingCostsNoCpuTime) {
  // IO-29 XC-13 SCH-05
  Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, 300ms));
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber told(*timer);
  RecordingSubscriber told_poll(*poll);
  const auto before = cpu_time();
  int turns = 0;
  for (; told.times() == 0 && turns < 1000; ++turns) reactor_.run_once(false);
  EXPECT_EQ(told.times(), 1u);
  EXPECT_LE(turns, 5);
  EXPECT_LT(cpu_time() - before, 20ms);
}

TEST_F(UvReactorTest, TheBackendDescriptorIsReadableWhenThereIsWork) {
  // REA-06
  ASSERT_GE(reactor_.backend_fd(), 0);
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber told(*poll);
  reactor_.run_once(true);
  write_end.write_byte();
  detail::EpollReactor outer;
  {
    Ref<Event> inner_ready = outer.new_poll(reactor_.backend_fd(), kPollReadable);
    RecordingSubscriber told_outer(*inner_ready);
    EXPECT_TRUE(turn_until(outer, [&] { return told_outer.times() > 0; }));
  }
  reactor_.run_once(true);
  EXPECT_EQ(told.times(), 1u);
}

}  // namespace
}  // namespace trueasync::test
