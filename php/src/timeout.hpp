// Async\Timeout: a cancellation token that fires after a time. Created by Async\timeout().
//
// Thread safety: the engine's thread only.
#pragma once

#include "support/object.hpp"
#include "trueasync/time.hpp"

namespace trueasync::php {

struct TimeoutObject final : AwaitableSource {
  static constexpr bool kConstructible = false;

  // CancelledTimer: the event of a timeout after cancel(). It counts as fired; every subscriber gets the cancellation.
  class CancelledTimer final : public Event {
   public:
    explicit CancelledTimer(const TimeoutObject& owner) noexcept : owner_(&owner) {}
    void detach_owner() noexcept { owner_ = nullptr; }
    bool replay(Notification& result) const noexcept override;
    std::string describe() const override { return "cancelled timeout"; }

   private:
    const TimeoutObject* owner_;  // null: the PHP object was freed
  };

  Ref<Event> timer;
  Ref<CancelledTimer> cancelled;  // null: cancel() was not called
  std::int64_t milliseconds = 0;
  zend_object* cancellation = nullptr;  // the reason of cancel(); owns a reference

  ~TimeoutObject();
  void report(GcBuffer& buffer) noexcept { buffer.add(cancellation); }

  // Null reason: creates an AsyncCancellation.
  void cancel(zend_object* reason);

  bool is_ready() noexcept override;
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;
};

// The caller gets a reference. Null: EG(exception) is set.
zend_object* make_timeout(std::int64_t milliseconds);
void register_timeout();

}  // namespace trueasync::php
