// The deadline of a scope and dispose_after(). The timer is armed only while the scope is not empty, so an empty scope
// neither keeps the program alive nor leaves a timer behind.
#include <algorithm>

#include "scheduler/api_support.hpp"
#include "scheduler/control_block.hpp"
#include "scheduler/report.hpp"
#include "scope/lazy_scope.hpp"
#include "trueasync/scope/scope.hpp"

namespace trueasync {

DeadlineError::DeadlineError(const std::string& message, std::shared_ptr<unsigned> in_flight)
    : TimeoutError(message), in_flight_(std::move(in_flight)) {
  if (in_flight_) ++*in_flight_;
}

DeadlineError::DeadlineError(const DeadlineError& other) noexcept : TimeoutError(other), in_flight_(other.in_flight_) {
  if (in_flight_) ++*in_flight_;
}

DeadlineError::~DeadlineError() {
  if (in_flight_) --*in_flight_;
}

std::optional<TimePoint> current_deadline() {
  detail::ControlBlock& block = *detail::require_scheduler("current_deadline").running();
  const detail::ScopeState* scope = detail::LazyScope::existing_scope_of(block.owner);
  return scope ? scope->effective_deadline() : std::nullopt;
}

std::optional<std::chrono::nanoseconds> remaining_time() {
  const auto deadline = current_deadline();
  if (!deadline) return std::nullopt;
  return std::max<std::chrono::nanoseconds>(*deadline - detail::Scheduler::current()->reactor().now(), {});
}

namespace detail {

ScopeTimer::ScopeTimer(ScopeState& owner) noexcept
    : Timer([](Timer& self) noexcept { static_cast<ScopeTimer&>(self).scope.on_timer(); }), scope(owner) {}

void ScopeState::arm_timer() noexcept {
  const TimePoint when = std::min(deadline_passed_ ? TimePoint::max() : deadline_at_, dispose_at_);
  TimerQueue& timers = scheduler_.reactor().timers();
  timers.cancel(timer_);
  if (when != TimePoint::max() && (has_external_workers_ || !is_empty())) timers.arm(timer_, when);
}

void ScopeState::on_timer() noexcept {
  Ref<ScopeState> keep_alive(this);
  const TimePoint now = scheduler_.reactor().now();
  if (now >= deadline_at_ && !deadline_passed_) expire_subtree();
  if (now >= dispose_at_) {
    dispose_at_ = TimePoint::max();
    if (pins_ == 0) cancel();
  }
  arm_timer();
}

void ScopeState::expire_subtree() noexcept {
  bool skip = false;  // a child scope whose own deadline has passed: its subtree was expired then
  for (ScopeState* scope = this; scope; scope = scope->next_in(*this, skip)) {
    skip = scope->deadline_passed_;
    if (skip) continue;
    scope->deadline_passed_ = true;
    scope->members_.for_each([scope](ControlBlock& block) { scope->scheduler_.deliver_deadline(block); });
    if (scope->listener) scope->listener->on_deadline();
  }
}

void ScopeState::set_deadline(TimePoint when) noexcept {
  deadline_at_ = when;
  arm_timer();
}

void ScopeState::set_dispose_at(TimePoint when) noexcept {
  dispose_at_ = when;
  arm_timer();
}

void ScopeState::set_has_external_workers(bool has) noexcept {
  has_external_workers_ = has;
  arm_timer();
}

std::optional<TimePoint> ScopeState::effective_deadline() const noexcept {
  TimePoint earliest = TimePoint::max();
  for (const ScopeState* scope = this; scope; scope = scope->parent()) {
    earliest = std::min(earliest, scope->deadline_at_);
  }
  return earliest == TimePoint::max() ? std::nullopt : std::optional(earliest);
}

std::exception_ptr ScopeState::deadline_error(ControlBlock& block) noexcept {
  CoroutineExtras& extras = block.ensure_extras();
  if (!extras.errors_in_flight) extras.errors_in_flight = std::make_shared<unsigned>(0);
  return std::make_exception_ptr(detail::Access::deadline_error("coroutine " + coroutine_label(block) + " at " +
                                                                    format_location(block.suspend_location) +
                                                                    ": the deadline of its scope has passed",
                                                                extras.errors_in_flight));
}

}  // namespace detail

}  // namespace trueasync
