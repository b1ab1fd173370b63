#include <unistd.h>

#include "interpose/c_time.hpp"
#include "interpose/call_context.hpp"
#include "interpose/calls.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

// Whose main is in here: a signal ends its sleep, as it does a process's.
constinit thread_local Scheduler* sleeping_main = nullptr;

void store_remaining(Scheduler& scheduler, TimePoint end, timespec* rest) noexcept {
  if (rest) *rest = to_timespec(end - scheduler.reactor().now());
}

// 0 or errno.
int sleep_for(Scheduler& scheduler, const char* call, std::chrono::nanoseconds length, timespec* rest) noexcept {
  const TimePoint end = deadline_after(scheduler.reactor().now(), length);
  const bool is_main = scheduler.running() == scheduler.main();
  if (is_main) sleeping_main = &scheduler;
  const WaitResult waited = sleep_in(scheduler, call, end);
  if (is_main) sleeping_main = nullptr;
  if (waited == WaitResult::timed_out) return 0;
  const int error = errno;
  store_remaining(scheduler, end, rest);
  return error;
}

}  // namespace

static void interrupt_main_sleep() noexcept {
  if (sleeping_main) sleeping_main->main()->waker().wake(WakeReason::event, *sleeping_main);
}

unsigned sleep(unsigned seconds) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::sleep(seconds);
  timespec rest = {};
  const int error = sleep_for(*scheduler, "sleep", std::chrono::seconds(seconds), &rest);
  if (error == 0) return 0;
  errno = error;
  return static_cast<unsigned>(rest.tv_sec) + (rest.tv_nsec >= 500'000'000 ? 1 : 0);
}

int usleep(useconds_t microseconds) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::usleep(microseconds);
  const int error = sleep_for(*scheduler, "usleep", std::chrono::microseconds(microseconds), nullptr);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int nanosleep(const timespec* length, timespec* rest) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !is_valid(length)) return ::nanosleep(length, rest);
  const int error = sleep_for(*scheduler, "nanosleep", to_duration(*length), rest);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* when, timespec* rest) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool is_known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
  if (!scheduler || !is_valid(when) || !is_known) return ::clock_nanosleep(clock, flags, when, rest);
  if (!(flags & TIMER_ABSTIME)) return sleep_for(*scheduler, "clock_nanosleep", to_duration(*when), rest);
  for (;;) {  // the clock may have been set meanwhile
    timespec now = {};
    ::clock_gettime(clock, &now);
    const auto left = to_duration(*when) - to_duration(now);
    if (left.count() <= 0) return 0;
    if (const int error = sleep_for(*scheduler, "clock_nanosleep", left, nullptr)) return error;
  }
}

}  // namespace trueasync::detail::interpose::calls

namespace trueasync::blocking {

void notify_signal_handled() noexcept { detail::interpose::calls::interrupt_main_sleep(); }

}  // namespace trueasync::blocking
