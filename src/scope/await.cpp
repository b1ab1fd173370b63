#include <algorithm>

#include "scheduler/api_support.hpp"
#include "scheduler/report.hpp"
#include "trueasync/detail/await_collector.hpp"
#include "trueasync/error.hpp"
#include "trueasync/scope/select.hpp"

namespace trueasync::detail {

AwaitCollector::~AwaitCollector() {
  for (AwaitSlot* slot = first_; slot; slot = slot->next_slot) {
    unsubscribe(*slot);
    if (!slot->is_settled()) {
      if (pending_ == PendingAction::cancel) slot->cancel();
    } else if (!completed_) {
      slot->event->reclaim(*slot);
    }
  }
}

void AwaitCollector::unsubscribe(AwaitSlot& slot) noexcept {
  slot.event->unsubscribe(slot);
  if (!slot.started) return;
  slot.started = false;
  slot.event->stop();
}

void AwaitCollector::add(AwaitSlot& slot, Event& event) {
  if (auto* block = dynamic_cast<ControlBlock*>(&event); block && block->is_alive()) {
    if (require_owner_thread(*block, "await").running() == block) {
      throw MisuseError("coroutine " + coroutine_label(*block) + " cannot await itself");
    }
  }
  slot.collector = this;
  slot.keep_alive = Ref<Event>(&event);
  slot.callback = &AwaitCollector::on_fired;
  event.subscribe(slot);
  (last_ ? last_->next_slot : first_) = &slot;
  last_ = &slot;
  ++added_;
  Notification result;
  if (event.replay(result)) {
    event.unsubscribe(slot);
    return settle(slot, result.error);
  }
  if (auto error = event.start()) {
    event.unsubscribe(slot);
    return settle(slot, error);
  }
  slot.started = !slot.is_settled();
  if (slot.is_settled()) event.stop();  // the event fired inside start()
}

void AwaitCollector::on_fired(Subscription& subscription, const Notification& notification) noexcept {
  auto& slot = static_cast<AwaitSlot&>(subscription);
  unsubscribe(slot);
  slot.collector->settle(slot, notification.error);
}

void AwaitCollector::settle(AwaitSlot& slot, const std::exception_ptr& error) noexcept {
  slot.error = error;
  slot.settle_order = ++settled_;
  slot.failed = error || slot.is_failure();
  if (!slot.failed) ++successes_;
  if (slot.failed && !first_failure_) first_failure_ = &slot;
  check_met();
}

void AwaitCollector::check_met() noexcept {
  if (met_) return;
  met_ = successes_ >= goal_.successes || (goal_.stop_at_failure && first_failure_) || (sealed_ && settled_ == added_);
  if (!met_) return;
  // Pending events must not fire into this collector any more: other waiters get what they grant.
  for (AwaitSlot* slot = first_; slot; slot = slot->next_slot) unsubscribe(*slot);
  notify({});
}

void AwaitCollector::wait(WaitOptions options, SourceLocation location) {
  sealed_ = true;
  check_met();
  if (!met_) {
    wait_for_event(require_scheduler("await"), *this, options, location);
  }
  completed_ = true;
}

std::string AwaitCollector::describe() const {
  std::string text = std::to_string(added_ - settled_) + " of " + std::to_string(added_) + " awaited:";
  constexpr std::size_t kMaxNamed = 5;
  std::size_t named = 0;
  for (AwaitSlot* slot = first_; slot; slot = slot->next_slot) {
    if (slot->is_settled()) continue;
    if (named++ == kMaxNamed) return text + ", …";
    text += (named == 1 ? " " : ", ") + slot->event->describe();
  }
  return text;
}

const Event* AwaitCollector::blocking_coroutine() const noexcept {
  for (AwaitSlot* slot = first_; slot; slot = slot->next_slot) {
    if (slot->is_settled()) continue;
    if (const Event* coroutine = slot->event->blocking_coroutine()) return coroutine;
  }
  return nullptr;
}

std::size_t select_wait(std::span<WaitEntry> entries, WaitOptions options, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("select");
  WaitRequest request;
  request.entries = options.token() ? entries : entries.first(entries.size() - 1);
  if (options.token()) {
    entries.back().event = options.token();
    entries.back().is_token = true;
  }
  request.deadline = absolute_deadline(scheduler, options);
  const WakeReason reason = scheduler.wait(request, location);
  // If the chosen event has fired with an error, its case throws the error.
  if (reason != WakeReason::event) throw_wait_error(scheduler, reason, &request);
  const auto fired = std::find_if(entries.begin(), entries.end(), [](const WaitEntry& entry) { return entry.fired; });
  return static_cast<std::size_t>(fired - entries.begin());
}

}  // namespace trueasync::detail
