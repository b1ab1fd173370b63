// Async\Timeout: a token that fires after some time. timeout() makes it.
#pragma once

#include "support/object.hpp"
#include "trueasync/time.hpp"

namespace trueasync::php {

struct TimeoutObject final : AwaitableSource {
  static constexpr bool kConstructible = false;

  Ref<Event> timer;
  std::int64_t milliseconds = 0;
  zend_object* cancellation = nullptr;

  ~TimeoutObject();
  void report(GcBuffer& buffer) noexcept { buffer.add(cancellation); }

  bool is_ready() noexcept override;
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;
};

// Null: EG(exception) is set.
zend_object* make_timeout(std::int64_t milliseconds);
void register_timeout();

}  // namespace trueasync::php
