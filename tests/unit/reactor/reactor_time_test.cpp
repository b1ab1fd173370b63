// EpollReactor and time: which polls block, when they return, and their CPU time.
#include <sys/resource.h>

#include "epoll_reactor_fixture.hpp"
#include "reactor/timer_event.hpp"

namespace trueasync::test {
namespace {

using detail::TimerEvent;

std::chrono::microseconds cpu_time() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  auto to_duration = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return to_duration(usage.ru_utime) + to_duration(usage.ru_stime);
}

// REA-01 SCH-05
TEST_F(EpollReactorTest, NonblockingPollNeverBlocks) {
  Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, 24h));
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber timer_subscriber(*timer);
  RecordingSubscriber poll_subscriber(*poll);
  for (int i = 0; i < 1000; ++i) reactor_.run_once(true);
  EXPECT_EQ(reactor_.counters().polls_without_wait, 1000u);
  EXPECT_EQ(timer_subscriber.times() + poll_subscriber.times(), 0u);
}

// REA-05 TM-01
TEST_F(EpollReactorTest, TimerNeverFiresEarly) {
  for (auto delay : {0ns, 300'000ns, 1'000'000ns, 2'700'000ns, 10'000'000ns}) {
    Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, delay));
    const TimePoint before = Clock::now();
    RecordingSubscriber subscriber(*timer);
    std::uint64_t polls = 0;
    for (; subscriber.times() == 0 && polls < 100; ++polls) reactor_.run_once(false);
    EXPECT_EQ(subscriber.times(), 1u);
    EXPECT_GE(Clock::now() - before, delay);
    EXPECT_LE(polls, 5u) << "the reactor blocks instead of polling repeatedly";
  }
}

// TM-01 REA-05
TEST_F(EpollReactorTest, StaleLoopClockDoesNotShortenDelay) {
  reactor_.run_once(true);  // the loop caches its clock here
  const TimePoint busy_until = Clock::now() + 30ms;
  while (Clock::now() < busy_until) {
  }
  Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, 20ms));
  const TimePoint before = Clock::now();
  RecordingSubscriber subscriber(*timer);
  reactor_.run_once(true);
  if (Clock::now() - before < 20ms) {
    EXPECT_EQ(subscriber.times(), 0u);
  }
  ASSERT_TRUE(run_until(reactor_, [&] { return subscriber.times() > 0; }));
  EXPECT_GE(Clock::now() - before, 20ms);
}

// SCH-05
TEST_F(EpollReactorTest, BlockingPollReturnsAtDeadline) {
  const TimePoint deadline = Clock::now() + 20ms;
  int polls = 0;
  while (Clock::now() < deadline) {
    reactor_.run_once(false, deadline);
    ++polls;
  }
  EXPECT_LE(polls, 5);
}

// SCH-05
TEST_F(EpollReactorTest, DeadlineLongInThePastDoesNotBlock) {
  reactor_.run_once(false, Clock::now() - 1h);
  EXPECT_EQ(reactor_.counters().polls_blocking, 1u);
}

// IO-29 XC-13 SCH-05
TEST_F(EpollReactorTest, BlockingPollUsesNoCpuTime) {
  Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, 300ms));
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber subscriber(*timer);
  RecordingSubscriber poll_subscriber(*poll);
  const auto before = cpu_time();
  int polls = 0;
  for (; subscriber.times() == 0 && polls < 1000; ++polls) reactor_.run_once(false);
  EXPECT_EQ(subscriber.times(), 1u);
  EXPECT_LE(polls, 5);
  EXPECT_LT(cpu_time() - before, 20ms);
}

// REA-06
TEST_F(EpollReactorTest, BackendDescriptorIsReadableWhenEventsArePending) {
  ASSERT_GE(reactor_.backend_fd(), 0);
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber subscriber(*poll);
  reactor_.run_once(true);
  write_end.write_byte();
  detail::EpollReactor outer;
  {
    Ref<Event> inner_ready = outer.new_poll(reactor_.backend_fd(), kPollReadable);
    RecordingSubscriber outer_subscriber(*inner_ready);
    EXPECT_TRUE(run_until(outer, [&] { return outer_subscriber.times() > 0; }));
  }
  reactor_.run_once(true);
  EXPECT_EQ(subscriber.times(), 1u);
}

// IO-29
TEST_F(EpollReactorTest, DeadlineInThePastDoesNotBlock) {
  // libuv runs due timers before it polls. A wake-up timer of zero would fire there, and the poll would block.
  for (int i = 0; i < 100; ++i) reactor_.run_once(false, Clock::now() - 1ms);
  EXPECT_EQ(reactor_.counters().polls_blocking, 100u);
}

TEST_F(EpollReactorTest, DeadlineOfNowEndsEveryPoll) {
  for (int i = 0; i < 2000; ++i) reactor_.run_once(false, Clock::now());
  EXPECT_EQ(reactor_.counters().polls_blocking, 2000u);
}

}  // namespace
}  // namespace trueasync::test
