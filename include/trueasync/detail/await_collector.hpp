// AwaitCollector: the untyped part of the functions in await.hpp: one coroutine waits until enough of its events have
// fired. Each event is subscribed once and reports to the collector, so the cost is linear in the number of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// PendingAction: what happens to tasks that are still pending when the wait ends.
enum class PendingAction : std::uint8_t { keep, cancel };

namespace detail {

class AwaitCollector;

// AwaitSlot: one awaited event. On the stack or in a container of the waiting coroutine, at a fixed address.
struct AwaitSlot : Subscription {
  AwaitSlot() = default;
  AwaitSlot(const AwaitSlot&) = delete;
  AwaitSlot& operator=(const AwaitSlot&) = delete;

  // Called when the event has fired without an error. True for a cancelled coroutine: it has no result.
  virtual bool is_failure() const noexcept = 0;
  virtual void cancel() noexcept = 0;

  bool is_settled() const noexcept { return settle_order != 0; }

  AwaitCollector* collector = nullptr;
  AwaitSlot* next_slot = nullptr;
  Ref<Event> keep_alive;         // the awaited object may be destroyed during the wait
  std::exception_ptr error;      // of the event
  std::size_t settle_order = 0;  // position in the order of settling, from 1; 0: pending
  bool started = false;
  bool failed = false;

 protected:
  ~AwaitSlot() = default;
};

// AwaitGoal: when a wait ends.
struct AwaitGoal {
  std::size_t successes = SIZE_MAX;  // successes needed; default: all
  bool stop_at_failure = false;
};

class TRUEASYNC_EXPORT AwaitCollector final : public Event {
 public:
  AwaitCollector(AwaitGoal goal, PendingAction pending) noexcept : goal_(goal), pending_(pending) {}
  // Unsubscribes pending slots and cancels them if requested. If wait() threw, events reclaim what they granted.
  ~AwaitCollector() override;

  // MisuseError for an object that cannot be awaited here.
  void add(AwaitSlot& slot, Event& event);
  // True if no more events are needed.
  bool is_met() const noexcept { return met_; }
  // Called after all slots were added: waits until the goal is met or nothing is pending. Throws as await() does.
  void wait(WaitOptions options, SourceLocation location);
  std::size_t settled() const noexcept { return settled_; }
  AwaitSlot* first_failure() const noexcept { return first_failure_; }

  std::string describe() const override;
  const Event* blocking_coroutine() const noexcept override;
  // The collector that owns a subscription; null if the subscription is not one of its slots.
  static const AwaitCollector* from_subscription(const Subscription& subscription) noexcept {
    return subscription.callback == &on_fired ? static_cast<const AwaitSlot&>(subscription).collector : nullptr;
  }

 private:
  static void on_fired(Subscription& subscription, const Notification& notification) noexcept;
  static void unsubscribe(AwaitSlot& slot) noexcept;
  void settle(AwaitSlot& slot, const std::exception_ptr& error) noexcept;
  void check_met() noexcept;
  void dispose() noexcept override {}  // on a stack

  AwaitGoal goal_;
  PendingAction pending_;
  AwaitSlot* first_ = nullptr;
  AwaitSlot* last_ = nullptr;
  AwaitSlot* first_failure_ = nullptr;
  std::size_t added_ = 0;
  std::size_t settled_ = 0;
  std::size_t successes_ = 0;
  bool sealed_ = false;     // all slots were added
  bool met_ = false;        // the goal is met, or nothing is pending
  bool completed_ = false;  // wait() returned: the caller takes the results
};

}  // namespace detail
}  // namespace trueasync
