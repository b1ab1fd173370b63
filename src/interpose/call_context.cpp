#include "interpose/call_context.hpp"

#include <pthread.h>

#include <atomic>

#include "interpose/descriptor_table.hpp"
#include "interpose/import_patcher.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail::interpose {

namespace {

constexpr std::uint32_t kMaxCallsWithoutYield = 64;
constexpr std::uint32_t kMaxRejectionsWithoutYield = 4;

constinit std::atomic<const trueasync::blocking::Host*> process_host{nullptr};
constinit thread_local std::uint32_t calls_since_wait = 0;
constinit thread_local std::uint32_t rejections_since_wait = 0;

// The child of a fork inherits this thread's runtime, whose reactor shares its descriptors with the parent. It must not
// be used there. fork_process() creates a new reactor, which has another backend descriptor.
constexpr int kNotForked = -2;
constinit thread_local int inherited_backend_fd = kNotForked;

void on_fork_in_child() noexcept {
  if (current_scheduler) inherited_backend_fd = current_scheduler->reactor().backend_fd();
}

bool is_inherited_by_fork(Scheduler& scheduler) noexcept {
  if (__builtin_expect(inherited_backend_fd == kNotForked, 1)) return false;
  if (inherited_backend_fd == scheduler.reactor().backend_fd()) return true;
  inherited_backend_fd = kNotForked;
  if (auto* table = DescriptorTable::existing()) table->adopt_in_forked_child();
  return false;
}

int to_errno(Scheduler& scheduler, WakeReason reason, const std::exception_ptr& cause) noexcept {
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

// The call has already completed or failed. A cancellation delivered by this yield must not change its result: it stays
// pending and is delivered at the next suspension point.
void yield_to_others(Scheduler& scheduler, const char* call) noexcept {
  if (scheduler.yield_slow(call_location(call)) == WakeReason::error) scheduler.running()->error = nullptr;
}

}  // namespace

void install_fork_handler() noexcept {
  static const int installed = ::pthread_atfork(nullptr, nullptr, &on_fork_in_child);
  static_cast<void>(installed);
}

Scheduler* check_suspendable(Scheduler& scheduler) noexcept {
  if (!scheduler.may_suspend() || is_inherited_by_fork(scheduler)) return nullptr;
  if (__builtin_expect(has_new_objects(), 0)) patch_new_objects();
  const auto* host = process_host.load(std::memory_order_acquire);
  return host && host->may_suspend && !host->may_suspend() ? nullptr : &scheduler;
}

SourceLocation call_location(const char* call) noexcept {
  const auto* host = process_host.load(std::memory_order_acquire);
  return host && host->location ? host->location(call) : SourceLocation(call, 0);
}

void reset_call_budget() noexcept { calls_since_wait = rejections_since_wait = 0; }

bool is_interrupting(Scheduler& scheduler) noexcept {
  const auto* host = process_host.load(std::memory_order_acquire);
  if (host && host->is_interrupting) return host->is_interrupting();
  const ControlBlock& self = *scheduler.running();
  return (self.flags & kInterrupts) && scheduler.can_deliver_cancellation(self);
}

bool fail_if_interrupting(Scheduler& scheduler) noexcept {
  const auto* host = process_host.load(std::memory_order_acquire);
  if (!host || !host->is_interrupting || !host->is_interrupting()) return false;
  if (++rejections_since_wait > kMaxRejectionsWithoutYield) yield_to_others(scheduler, "an interrupted call");
  errno = ECANCELED;
  return true;
}

void charge_nonblocking_call(Scheduler& scheduler, const char* call) noexcept {
  if (__builtin_expect(++calls_since_wait < kMaxCallsWithoutYield, 1)) return;
  const auto* host = process_host.load(std::memory_order_acquire);
  if (host && host->may_yield && !host->may_yield()) return;
  calls_since_wait = 0;
  const ErrnoGuard errno_guard;
  yield_to_others(scheduler, call);
  errno_guard.restore();
}

WaitResult interrupt_call(Scheduler& scheduler, const char* call, WakeReason reason,
                          std::exception_ptr cause) noexcept {
  const int error = to_errno(scheduler, reason, cause);
  const auto* host = process_host.load(std::memory_order_acquire);
  if (host && host->on_interrupted) host->on_interrupted({call, error, std::move(cause)});
  errno = error;
  return WaitResult::interrupted;
}

bool close_waits_for_users() noexcept {
  const auto* host = process_host.load(std::memory_order_acquire);
  return host && host->close_waits_for_users && host->close_waits_for_users();
}

void notify_child_wait_abandoned(int process) noexcept {
  const auto* host = process_host.load(std::memory_order_acquire);
  if (!host || !host->on_child_wait_abandoned) return;
  const ErrnoGuard errno_guard;
  host->on_child_wait_abandoned(process);
  errno_guard.restore();
}

WaitResult sleep_until(Scheduler& scheduler, const char* call, TimePoint deadline) noexcept {
  if (fail_if_interrupting(scheduler)) return WaitResult::interrupted;
  const ErrnoGuard errno_guard;
  reset_call_budget();
  const WakeReason reason = scheduler.sleep_until(deadline, call_location(call));
  if (reason == WakeReason::event) {
    errno = EINTR;
    return WaitResult::interrupted;
  }
  if (reason != WakeReason::timed_out) {
    return interrupt_call(scheduler, call, reason, std::exchange(scheduler.running()->error, nullptr));
  }
  errno_guard.restore();
  return WaitResult::timed_out;
}

}  // namespace trueasync::detail::interpose

namespace trueasync::blocking {

void yield_if_owed() noexcept {
  using namespace detail::interpose;
  if (calls_since_wait < kMaxCallsWithoutYield) return;
  if (detail::Scheduler* scheduler = suspendable_scheduler()) charge_nonblocking_call(*scheduler, "yield_if_owed");
}

void set_host(const Host* host) noexcept { detail::interpose::process_host = host; }

}  // namespace trueasync::blocking
