// Below the templates of await.hpp: one coroutine waits for as many of several events as it takes. Each event is
// subscribed once and reports to a collector, so the cost is linear whatever fails meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::detail {

class AwaitCollector;

// One of the awaited. Lives on the stack or in a container of the waiting coroutine, at one address.
struct AwaitSlot : Subscription {
  AwaitSlot() = default;
  AwaitSlot(const AwaitSlot&) = delete;
  AwaitSlot& operator=(const AwaitSlot&) = delete;

  // Asked when its event has fired: a cancelled coroutine tells no error, yet it has no result.
  virtual bool is_failure() const noexcept = 0;
  virtual void cancel() noexcept = 0;

  bool is_settled() const noexcept { return settle_order != 0; }

  AwaitCollector* collector = nullptr;
  AwaitSlot* next_slot = nullptr;
  Ref<Event> hold;               // whoever has the awaited thing may let it go meanwhile
  std::exception_ptr error;      // the event's own
  std::size_t settle_order = 0;  // as the how manieth, from 1
  bool started = false;
  bool failed = false;

 protected:
  ~AwaitSlot() = default;
};

struct AwaitGoal {
  std::size_t successes = SIZE_MAX;
  bool stop_at_failure = false;
};

enum class PendingFate : std::uint8_t { keep, cancel };

class TRUEASYNC_EXPORT AwaitCollector final : public Event {
 public:
  explicit AwaitCollector(AwaitGoal goal, PendingFate fate) noexcept : goal_(goal), fate_(fate) {}
  // Whatever still waits is left – and cancelled if that was asked for; what fired and was not taken is handed on.
  ~AwaitCollector() override;

  // Throws MisuseError for what can't be awaited here.
  void add(AwaitSlot& slot, Event& event);
  // No more are needed.
  bool is_met() const noexcept { return met_; }
  // All have been added: waits until the goal is met or nothing is pending. Throws as await does.
  void wait(Event* token, SourceLocation location);
  std::size_t settled() const noexcept { return settled_; }
  AwaitSlot* first_failure() const noexcept { return first_failure_; }

  std::string describe() const override;
  const Event* blocking_coroutine() const noexcept override;
  // The collector behind a subscription; null if it is none of its slots.
  static const AwaitCollector* from_subscription(const Subscription& subscription) noexcept {
    return subscription.callback == &on_fired ? static_cast<const AwaitSlot&>(subscription).collector : nullptr;
  }

 private:
  static void on_fired(Subscription& subscription, const Notification& notification) noexcept;
  static void unsubscribe(AwaitSlot& slot) noexcept;
  void settle(AwaitSlot& slot, const std::exception_ptr& error) noexcept;
  void check_met() noexcept;
  void dispose() noexcept override {}  // it lives on a stack

  AwaitGoal goal_;
  PendingFate fate_;
  AwaitSlot* first_ = nullptr;
  AwaitSlot* last_ = nullptr;
  AwaitSlot* first_failure_ = nullptr;
  std::size_t added_ = 0;
  std::size_t settled_ = 0;
  std::size_t successes_ = 0;
  bool sealed_ = false;
  bool met_ = false;
  bool taken_ = false;
};

}  // namespace trueasync::detail
