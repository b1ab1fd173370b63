#include "timeout.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "generated/timeout_arginfo.h"
#include "interfaces.hpp"
#include "support/arguments.hpp"
#include "support/duration.hpp"
#include "support/error.hpp"

namespace trueasync::php {

TimeoutObject::~TimeoutObject() {
  if (cancelled) cancelled->detach_owner();
  if (cancellation) OBJ_RELEASE(cancellation);
}

bool TimeoutObject::CancelledTimer::replay(Notification& result) const noexcept {
  result = {};
  if (!owner_) return true;
  GC_ADDREF(owner_->cancellation);
  result.error = to_cpp(owner_->cancellation);
  return true;
}

void TimeoutObject::cancel(zend_object* reason) {
  if (is_ready()) return;
  if (reason) GC_ADDREF(reason);
  cancelled = Ref<CancelledTimer>::adopt(new CancelledTimer(*this));
  cancellation = reason ? reason : make_exception(exceptions.async_cancellation, "Timeout has been cancelled");
  GC_ADDREF(cancellation);
  timer->close(to_cpp(cancellation));
}

bool TimeoutObject::is_ready() noexcept {
  Notification result;
  return cancellation || timer->replay(result);
}

Event* TimeoutObject::event() noexcept {
  if (cancelled) return cancelled.get();
  return timer.get();
}

zend_object* TimeoutObject::take(const Notification&, zval*) noexcept {
  if (cancellation) {
    GC_ADDREF(cancellation);
    return cancellation;
  }
  return make_exception(exceptions.timeout, "Timeout of " + std::to_string(milliseconds) + " ms");
}

zend_object* make_timeout(std::int64_t milliseconds) {
  zend_object* object = nullptr;
  catch_to_php([&] {
    Timeout timeout{to_duration(milliseconds)};
    TimeoutObject& created = Class<TimeoutObject>::make();
    created.timer = Ref<Event>(&timeout.event());
    created.milliseconds = milliseconds;
    object = Class<TimeoutObject>::object_of(created);
  });
  return object;
}

void register_timeout() { Class<TimeoutObject>::setup(register_class_Async_Timeout(interfaces.completable)); }

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_METHOD(Async_Timeout, __construct) {}

ZEND_METHOD(Async_Timeout, cancel) {
  zend_object* reason;
  if (!parse_reason(execute_data, reason)) return;
  catch_to_php([&] { Class<TimeoutObject>::self(ZEND_THIS).cancel(reason); });
}

ZEND_METHOD(Async_Timeout, isCompleted) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(Class<TimeoutObject>::self(ZEND_THIS).is_ready());
}

ZEND_METHOD(Async_Timeout, isCancelled) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(Class<TimeoutObject>::self(ZEND_THIS).cancellation != nullptr);
}
