// Async\Timeout: a token that fires after some time. timeout() makes it.
#pragma once

#include "support/object.hpp"
#include "trueasync/time.hpp"

namespace trueasync::php {

struct TimeoutObject final : AwaitableSource {
  static constexpr bool kConstructible = false;

  // What there is to wait for after cancel(): nothing any more. Says so to whoever comes.
  class CancelledTimer final : public Event {
   public:
    explicit CancelledTimer(const TimeoutObject& owner) noexcept : owner_(&owner) {}
    void forget_owner() noexcept { owner_ = nullptr; }
    bool replay(Notification& result) const noexcept override;
    std::string describe() const override { return "timer, cancelled"; }

   private:
    const TimeoutObject* owner_;
  };

  Ref<Event> timer;
  Ref<CancelledTimer> cancelled;
  std::int64_t milliseconds = 0;
  zend_object* cancellation = nullptr;

  ~TimeoutObject();
  void report(GcBuffer& buffer) noexcept { buffer.add(cancellation); }

  // Null: with a reason of ours.
  void cancel(zend_object* reason);

  bool is_ready() noexcept override;
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;
};

// Null: EG(exception) is set.
zend_object* make_timeout(std::int64_t milliseconds);
void register_timeout();

}  // namespace trueasync::php
