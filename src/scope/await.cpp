#include "scheduler/api_support.hpp"
#include "scheduler/report.hpp"
#include "trueasync/detail/await_collector.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

AwaitCollector::~AwaitCollector() {
  for (AwaitSlot* slot = first_; slot; slot = slot->next_slot) {
    unsubscribe(*slot);
    if (!slot->is_settled()) {
      if (fate_ == PendingFate::cancel) slot->cancel();
    } else if (!taken_) {
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
  slot.hold = Ref<Event>(&event);
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
  if (slot.is_settled()) event.stop();  // fired while it was started
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
  // From here on the others' events belong to others.
  for (AwaitSlot* slot = first_; slot; slot = slot->next_slot) unsubscribe(*slot);
  notify({});
}

void AwaitCollector::wait(WaitOptions options, SourceLocation location) {
  sealed_ = true;
  check_met();
  if (!met_) {
    wait_for_event(require_scheduler("await"), *this, options, location);
  }
  taken_ = true;
}

std::string AwaitCollector::describe() const {
  std::string text = std::to_string(added_ - settled_) + " of " + std::to_string(added_) + " awaited:";
  constexpr std::size_t kNamed = 5;
  std::size_t named = 0;
  for (AwaitSlot* slot = first_; slot; slot = slot->next_slot) {
    if (slot->is_settled()) continue;
    if (named++ == kNamed) return text + ", …";
    text += (named == 1 ? " " : ", ") + slot->event->describe();
  }
  return text;
}

const Event* AwaitCollector::blocking_coroutine() const noexcept {
  for (AwaitSlot* slot = first_; slot; slot = slot->next_slot) {
    if (slot->is_settled()) continue;
    if (const Event* holder = slot->event->blocking_coroutine()) return holder;
  }
  return nullptr;
}

}  // namespace trueasync::detail
