#include <unistd.h>

#include "interpose/c_time.hpp"
#include "interpose/call_context.hpp"
#include "interpose/calls.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

// The scheduler whose main coroutine sleeps here. A handled signal interrupts that sleep, like the sleep of a process.
constinit thread_local Scheduler* sleeping_main = nullptr;

void store_remaining(Scheduler& scheduler, TimePoint deadline, timespec* remaining) noexcept {
  if (remaining) *remaining = to_timespec(deadline - scheduler.reactor().now());
}

// Returns 0 or an errno value.
int sleep_for(Scheduler& scheduler, const char* call, std::chrono::nanoseconds duration, timespec* remaining) noexcept {
  const TimePoint deadline = deadline_after(scheduler.reactor().now(), duration);
  const bool is_main = scheduler.running() == scheduler.main();
  if (is_main) sleeping_main = &scheduler;
  const WaitResult waited = sleep_until(scheduler, call, deadline);
  if (is_main) sleeping_main = nullptr;
  if (waited == WaitResult::timed_out) return 0;
  const int error = errno;
  store_remaining(scheduler, deadline, remaining);
  return error;
}

}  // namespace

static void interrupt_main_sleep() noexcept {
  if (sleeping_main) sleeping_main->main()->waker().wake(WakeReason::event, *sleeping_main);
}

unsigned sleep(unsigned seconds) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::sleep(seconds);
  timespec remaining = {};
  const int error = sleep_for(*scheduler, "sleep", std::chrono::seconds(seconds), &remaining);
  if (error == 0) return 0;
  errno = error;
  return static_cast<unsigned>(remaining.tv_sec) + (remaining.tv_nsec >= 500'000'000 ? 1 : 0);
}

int usleep(useconds_t microseconds) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::usleep(microseconds);
  const int error = sleep_for(*scheduler, "usleep", std::chrono::microseconds(microseconds), nullptr);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int nanosleep(const timespec* duration, timespec* remaining) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !is_valid(duration)) return ::nanosleep(duration, remaining);
  const int error = sleep_for(*scheduler, "nanosleep", to_duration(*duration), remaining);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* when, timespec* remaining) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  const bool is_supported = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
  if (!scheduler || !is_valid(when) || !is_supported) return ::clock_nanosleep(clock, flags, when, remaining);
  if (!(flags & TIMER_ABSTIME)) return sleep_for(*scheduler, "clock_nanosleep", to_duration(*when), remaining);
  for (;;) {  // the clock may be set during the sleep
    timespec now = {};
    ::clock_gettime(clock, &now);
    const auto duration = to_duration(*when) - to_duration(now);
    if (duration.count() <= 0) return 0;
    if (const int error = sleep_for(*scheduler, "clock_nanosleep", duration, nullptr)) return error;
  }
}

}  // namespace trueasync::detail::interpose::calls

namespace trueasync::blocking {

void notify_signal_handled() noexcept { detail::interpose::calls::interrupt_main_sleep(); }

}  // namespace trueasync::blocking
