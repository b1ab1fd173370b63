#include "future.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "future_link.hpp"
#include "generated/future_arginfo.h"
#include "interfaces.hpp"
#include "support/arguments.hpp"
#include "support/error.hpp"
#include "support/library_call.hpp"
#include "support/source_location.hpp"
#include "support/wait.hpp"
#include "support/waiters.hpp"

namespace trueasync::php {

FutureObject::~FutureObject() {
  if (state_object) OBJ_RELEASE(state_object);
}

void FutureObject::on_destruct() noexcept {
  if (!state_object || is_used) return;
  const auto& library_state = *state().state;
  // The FutureStateObject reports an unobserved error.
  if (library_state.is_observed() || library_state.phase() == detail::FuturePhase::error) return;
  constexpr const char* kWarning =
      "Future was never used; call await(), map(), catch(), finally() or ignore() to suppress this warning";
  const SourceLocation location = library_state.creation_location();
  if (location.file()) {
    zend_error(E_WARNING, "%s. Created at %s:%u", kWarning, location.file(), static_cast<unsigned>(location.line()));
  } else {
    zend_error(E_WARNING, "%s", kWarning);
  }
}

Event* FutureObject::event() noexcept {
  is_used = true;
  return state().state.get();
}

zend_object* FutureObject::take(const Notification&, zval* result) noexcept {
  is_used = true;
  return state().take(result);
}

void FutureObject::cancel_source() noexcept { state().cancel(nullptr, {}); }

zend_object* make_future(FutureStateObject& state) {
  FutureObject& future = Class<FutureObject>::make();
  future.state_object = object_of(state);
  return Class<FutureObject>::object_of(future);
}

void register_future() { Class<FutureObject>::setup(register_class_Async_Future(interfaces.completable)); }

namespace {

FutureObject& this_future(zval* value) noexcept { return Class<FutureObject>::self(value); }

void chain(INTERNAL_FUNCTION_PARAMETERS, LinkKind kind) {
  zend_fcall_info call;
  zend_fcall_info_cache cache;
  if (!parse_callable(execute_data, call, cache)) return;
  if (!engine::ensure_started()) return;
  auto& self = this_future(ZEND_THIS);
  catch_to_php_with_bailout([&] {
    const SourceLocation location = executing_location();
    FutureStateObject& next = make_future_state(location);
    GC_ADDREF(object_of(next));  // the link's reference
    RETVAL_OBJ(make_future(next));
    self.is_used = true;
    self.state().add_link(std::make_unique<FutureLink>(kind, call, cache, next, location));
  });
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_METHOD(Async_Future, __construct) {
  zval* state;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJECT_OF_CLASS(state, Class<FutureStateObject>::entry)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_future(ZEND_THIS);
  if (self.state_object) return throw_exception(exceptions.async, "Cannot call Async\\Future::__construct() twice");
  Z_ADDREF_P(state);
  self.state_object = Z_OBJ_P(state);
}

ZEND_METHOD(Async_Future, completed) {
  zval* value = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_ZVAL(value)
  ZEND_PARSE_PARAMETERS_END();
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    zval null;
    ZVAL_NULL(&null);
    FutureStateObject& future_state = make_future_state(executing_location());
    RETVAL_OBJ(make_future(future_state));
    future_state.complete(Value(value ? value : &null), executing_location());
  });
}

ZEND_METHOD(Async_Future, failed) {
  zval* error;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJECT_OF_CLASS(error, zend_ce_throwable)
  ZEND_PARSE_PARAMETERS_END();
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    FutureStateObject& future_state = make_future_state(executing_location());
    RETVAL_OBJ(make_future(future_state));
    Z_ADDREF_P(error);
    future_state.fail(Z_OBJ_P(error), executing_location());
  });
}

ZEND_METHOD(Async_Future, isCompleted) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_future(ZEND_THIS).is_ready());
}

ZEND_METHOD(Async_Future, isCancelled) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_future(ZEND_THIS).state().state->phase() == trueasync::detail::FuturePhase::cancelled);
}

ZEND_METHOD(Async_Future, cancel) {
  zend_object* reason;
  if (!parse_reason(execute_data, reason)) return;
  auto& self = this_future(ZEND_THIS);
  self.is_used = true;
  catch_to_php_with_bailout([&] { self.state().cancel(reason, executing_location()); });
}

ZEND_METHOD(Async_Future, ignore) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_future(ZEND_THIS);
  self.is_used = true;
  self.state().state->ignore();
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Future, map) { chain(INTERNAL_FUNCTION_PARAM_PASSTHRU, LinkKind::map); }
ZEND_METHOD(Async_Future, catch) { chain(INTERNAL_FUNCTION_PARAM_PASSTHRU, LinkKind::catch_error); }
ZEND_METHOD(Async_Future, finally) { chain(INTERNAL_FUNCTION_PARAM_PASSTHRU, LinkKind::finally); }

ZEND_METHOD(Async_Future, await) {
  zval* token;
  if (!parse_optional_object(execute_data, interfaces.completable, token)) return;
  if (!engine::ensure_started()) return;
  auto& self = this_future(ZEND_THIS);
  self.is_used = true;
  await_source(self, token ? completable_source(token) : nullptr, return_value, executing_location());
}

ZEND_METHOD(Async_Future, getAwaitingInfo) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_waiters(return_value, *this_future(ZEND_THIS).state().state);
}

ZEND_METHOD(Async_Future, getCreatedFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_file_and_line(return_value, this_future(ZEND_THIS).state().state->creation_location());
}

ZEND_METHOD(Async_Future, getCreatedLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_location(return_value, this_future(ZEND_THIS).state().state->creation_location());
}

ZEND_METHOD(Async_Future, getCompletedFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_file_and_line(return_value, this_future(ZEND_THIS).state().state->completion_location());
}

ZEND_METHOD(Async_Future, getCompletedLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_location(return_value, this_future(ZEND_THIS).state().state->completion_location());
}
