// What a scope does at a time of its own: its deadline, and its disposal after a timeout (SC-04). Nothing is armed while
// nobody lives in it, so an idle scope keeps no program alive and leaves no timer behind.
#include <algorithm>

#include "scheduler/coroutine_extras.hpp"
#include "scheduler/face.hpp"
#include "scheduler/report.hpp"
#include "scope/lazy_scope.hpp"
#include "trueasync/deadline.hpp"

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
  detail::ControlBlock& block = *detail::this_scheduler("current_deadline").running();
  const detail::ScopeState* scope = detail::LazyScope::present(block.owner);
  return scope ? scope->deadline_in_force() : std::nullopt;
}

std::optional<std::chrono::nanoseconds> time_left() {
  const auto deadline = current_deadline();
  if (!deadline) return std::nullopt;
  return std::max<std::chrono::nanoseconds>(*deadline - detail::Scheduler::current()->reactor().now(), {});
}

namespace detail {

ScopeTimer::ScopeTimer(ScopeState& owner) noexcept
    : Deadline([](Deadline& self) noexcept { static_cast<ScopeTimer&>(self).scope.on_timer(); }), scope(owner) {}

void ScopeState::arm_timer() noexcept {
  const TimePoint when = std::min(deadline_passed_ ? TimePoint::max() : deadline_at_, dispose_at_);
  DeadlineQueue& deadlines = scheduler_.reactor().deadlines();
  deadlines.cancel(timer_);
  if (when != TimePoint::max() && (has_guests_ || !is_settled())) deadlines.arm(timer_, when);
}

void ScopeState::on_timer() noexcept {
  Ref<ScopeState> keep(this);
  const TimePoint now = scheduler_.reactor().now();
  if (now >= deadline_at_ && !deadline_passed_) expire_below();
  if (now >= dispose_at_) {
    dispose_at_ = TimePoint::max();
    if (pins_ == 0) cancel();
  }
  arm_timer();
}

void ScopeState::expire_below() noexcept {
  bool skip = false;  // what had a deadline of its own that has passed: so has everything below it
  for (ScopeState* at = this; at; at = at->next_in(*this, skip)) {
    skip = at->deadline_passed_;
    if (skip) continue;
    at->deadline_passed_ = true;
    at->members_.for_each([at](ControlBlock& block) { at->scheduler_.expire(block); });
    if (at->listener) at->listener->on_expired();
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

void ScopeState::set_has_guests(bool has) noexcept {
  has_guests_ = has;
  arm_timer();
}

std::optional<TimePoint> ScopeState::deadline_in_force() const noexcept {
  TimePoint earliest = TimePoint::max();
  for (const ScopeState* at = this; at; at = at->parent()) earliest = std::min(earliest, at->deadline_at_);
  return earliest == TimePoint::max() ? std::nullopt : std::optional(earliest);
}

std::exception_ptr ScopeState::deadline_error(ControlBlock& block) noexcept {
  CoroutineExtras& extras = block.need_extras();
  if (!extras.errors_in_flight) extras.errors_in_flight = std::make_shared<unsigned>(0);
  return std::make_exception_ptr(DeadlineError(
      "the deadline of its scope passed for coroutine " + label(block) + " at " + place_text(block.suspend_place),
      extras.errors_in_flight));
}

}  // namespace detail

}  // namespace trueasync
