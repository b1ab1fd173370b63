// Async\ChannelCloseReason, and the $reason of a ChannelException.
#include "channel.hpp"
#include "exceptions.hpp"
#include "generated/channel_close_reason_arginfo.h"
#include "support/error.hpp"

namespace trueasync::php {

namespace {

zend_class_entry* reason_class = nullptr;

const char* case_of(CloseReason reason) noexcept {
  switch (reason) {
    case CloseReason::disposed:
      return "DISPOSED";
    case CloseReason::no_producers:
      return "NO_PRODUCERS";
    case CloseReason::no_consumers:
      return "NO_CONSUMERS";
    case CloseReason::deadlock:
      return "DEADLOCK";
    case CloseReason::scope_disposed:
      return "SCOPE_DISPOSED";
    case CloseReason::none:
    case CloseReason::closed:
      break;
  }
  return "EXPLICIT";
}

void fill_reason(zend_object* exception, const ChannelError& error) {
  zval value;
  ZVAL_OBJ(&value, zend_enum_get_case_cstr(reason_class, case_of(error.reason())));
  zend_update_property(exceptions.channel, exception, "reason", sizeof("reason") - 1, &value);
}

}  // namespace

void register_channel_close_reason() {
  reason_class = register_class_Async_ChannelCloseReason();
  fill_channel_exception = &fill_reason;
}

}  // namespace trueasync::php
