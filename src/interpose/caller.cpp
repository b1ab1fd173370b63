#include "interpose/caller.hpp"

#include <pthread.h>

#include <atomic>

#include "interpose/descriptor_table.hpp"
#include "interpose/replacing.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail::interpose {

namespace {

constexpr std::uint32_t kThroughMax = 64;
constexpr std::uint32_t kRefusedAtOnce = 4;

constinit std::atomic<const trueasync::blocking::Host*> host_of_process{nullptr};
constinit thread_local std::uint32_t through = 0;
constinit thread_local std::uint32_t refused = 0;

// In the child of a fork this thread's runtime is the parent's: its loop waits in descriptors that both share. Unless it
// gets a loop of its own (fork_process), which shows in another descriptor.
constexpr int kNotForked = -2;
constinit thread_local int parents_loop = kNotForked;

void note_fork() noexcept {
  if (this_thread) parents_loop = this_thread->reactor().backend_fd();
}

bool is_parents(Scheduler& scheduler) noexcept {
  if (__builtin_expect(parents_loop == kNotForked, 1)) return false;
  if (parents_loop == scheduler.reactor().backend_fd()) return true;
  parents_loop = kNotForked;
  if (auto* table = DescriptorTable::existing()) table->move_to_child();
  return false;
}

int error_of(Scheduler& scheduler, WakeReason reason, const std::exception_ptr& cause) noexcept {
  if (reason != WakeReason::error) return ECANCELED;
  if (scheduler.running()->flags & kDeadlinePassed) return ETIMEDOUT;
  try {
    if (cause) std::rethrow_exception(cause);
  } catch (const TimeoutError&) {
    return ETIMEDOUT;
  } catch (...) {
  }
  return ECANCELED;
}

// A cancellation that comes meanwhile is not for the call that is through, or was refused; it stays.
void let_others_run(Scheduler& scheduler, const char* call) noexcept {
  if (scheduler.yield_slowly(place_of(call)) == WakeReason::error) scheduler.running()->error = nullptr;
}

}  // namespace

void watch_forks() noexcept {
  static const int once = ::pthread_atfork(nullptr, nullptr, &note_fork);
  static_cast<void>(once);
}

Scheduler* caller_in(Scheduler& scheduler) noexcept {
  if (!scheduler.may_suspend() || is_parents(scheduler)) return nullptr;
  if (__builtin_expect(has_new_objects(), 0)) refresh_imports();
  const auto* host = host_of_process.load(std::memory_order_acquire);
  return host && host->may_suspend && !host->may_suspend() ? nullptr : &scheduler;
}

Place place_of(const char* call) noexcept {
  const auto* host = host_of_process.load(std::memory_order_acquire);
  return host && host->place ? host->place(call) : Place(call, 0);
}

void has_waited() noexcept { through = refused = 0; }

bool is_ending(Scheduler& scheduler) noexcept {
  const auto* host = host_of_process.load(std::memory_order_acquire);
  if (host && host->is_ending) return host->is_ending();
  const ControlBlock& self = *scheduler.running();
  return (self.flags & kInterrupts) && scheduler.cancellation_due(self);
}

bool is_refused(Scheduler& scheduler) noexcept {
  const auto* host = host_of_process.load(std::memory_order_acquire);
  if (!host || !host->is_ending || !host->is_ending()) return false;
  if (++refused > kRefusedAtOnce) let_others_run(scheduler, "a call that is refused");
  errno = ECANCELED;
  return true;
}

void went_through(Scheduler& scheduler, const char* call) noexcept {
  if (__builtin_expect(++through < kThroughMax, 1)) return;
  const auto* host = host_of_process.load(std::memory_order_acquire);
  if (host && host->may_pass_turn && !host->may_pass_turn()) return;
  through = 0;
  const KeepErrno kept;
  let_others_run(scheduler, call);
  kept.restore();
}

Waited end_call(Scheduler& scheduler, const char* call, WakeReason reason, std::exception_ptr cause) noexcept {
  const int error = error_of(scheduler, reason, cause);
  const auto* host = host_of_process.load(std::memory_order_acquire);
  if (host && host->interrupted) host->interrupted({call, error, std::move(cause)});
  errno = error;
  return Waited::ended;
}

bool waiters_leave_first() noexcept {
  const auto* host = host_of_process.load(std::memory_order_acquire);
  return host && host->waiters_leave_first && host->waiters_leave_first();
}

void tell_left_process(int process) noexcept {
  const auto* host = host_of_process.load(std::memory_order_acquire);
  if (!host || !host->left_process) return;
  const KeepErrno kept;
  host->left_process(process);
  kept.restore();
}

Waited sleep_in(Scheduler& scheduler, const char* call, TimePoint when) noexcept {
  if (is_refused(scheduler)) return Waited::ended;
  const KeepErrno kept;
  has_waited();
  const WakeReason reason = scheduler.sleep_until(when, place_of(call));
  if (reason == WakeReason::event) {
    errno = EINTR;
    return Waited::ended;
  }
  if (reason != WakeReason::timed_out) {
    return end_call(scheduler, call, reason, std::exchange(scheduler.running()->error, nullptr));
  }
  kept.restore();
  return Waited::timed_out;
}

}  // namespace trueasync::detail::interpose

namespace trueasync::blocking {

void let_others_run() noexcept {
  using namespace detail::interpose;
  if (through < kThroughMax) return;
  if (detail::Scheduler* scheduler = caller()) went_through(*scheduler, "many calls");
}

void set_host(const Host* host) noexcept { detail::interpose::host_of_process = host; }

}  // namespace trueasync::blocking
