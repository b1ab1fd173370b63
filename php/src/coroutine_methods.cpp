// The methods of Async\Coroutine.
#include "context.hpp"
#include "coroutine.hpp"
#include "engine/blocking_calls.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "support/arguments.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"
#include "support/stored_call.hpp"

using namespace trueasync;
using namespace trueasync::php;

namespace {

CoroutineObject& this_coroutine(zval* value) noexcept { return Class<CoroutineObject>::self(value); }

}  // namespace

ZEND_METHOD(Async_Coroutine, __construct) {}

ZEND_METHOD(Async_Coroutine, getId) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_LONG(static_cast<zend_long>(this_coroutine(ZEND_THIS).block().id));
}

ZEND_METHOD(Async_Coroutine, asHiPriority) {
  ZEND_PARSE_PARAMETERS_NONE();
  this_coroutine(ZEND_THIS).block().flags |= trueasync::detail::kHighPriority;
  RETURN_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Async_Coroutine, getContext) {
  ZEND_PARSE_PARAMETERS_NONE();
  catch_to_php([&] { RETVAL_OBJ(context_object(this_coroutine(ZEND_THIS))); });
}

ZEND_METHOD(Async_Coroutine, getResult) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_coroutine(ZEND_THIS);
  if (self.result) self.result.copy_to(return_value);
}

ZEND_METHOD(Async_Coroutine, getException) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_coroutine(ZEND_THIS);
  if (self.exception) RETURN_OBJ_COPY(self.exception);
}

ZEND_METHOD(Async_Coroutine, getTrace) {
  zend_long options = DEBUG_BACKTRACE_PROVIDE_OBJECT;
  zend_long limit = 0;
  ZEND_PARSE_PARAMETERS_START(0, 2)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(options)
  Z_PARAM_LONG(limit)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_coroutine(ZEND_THIS);
  if (!self.block().is_alive() || !self.state.vm_stack || engine::current() == &self) return;
  zend_execute_data* saved = EG(current_execute_data);
  EG(current_execute_data) = self.state.current_execute_data;
  zend_fetch_debug_backtrace(return_value, 0, static_cast<int>(options), static_cast<int>(limit));
  EG(current_execute_data) = saved;
}

ZEND_METHOD(Async_Coroutine, getSpawnFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_file_and_line(return_value, this_coroutine(ZEND_THIS).block().spawn_location);
}

ZEND_METHOD(Async_Coroutine, getSpawnLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_location(return_value, this_coroutine(ZEND_THIS).block().spawn_location);
}

ZEND_METHOD(Async_Coroutine, getSuspendFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_file_and_line(return_value, this_coroutine(ZEND_THIS).block().suspend_location);
}

ZEND_METHOD(Async_Coroutine, getSuspendLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_location(return_value, this_coroutine(ZEND_THIS).block().suspend_location);
}

ZEND_METHOD(Async_Coroutine, isStarted) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_coroutine(ZEND_THIS).handle.state() != CoroutineState::created);
}

ZEND_METHOD(Async_Coroutine, isQueued) {
  ZEND_PARSE_PARAMETERS_NONE();
  const CoroutineState state = this_coroutine(ZEND_THIS).handle.state();
  RETURN_BOOL(state == CoroutineState::created || state == CoroutineState::ready);
}

ZEND_METHOD(Async_Coroutine, isRunning) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_coroutine(ZEND_THIS).handle.state() == CoroutineState::running);
}

ZEND_METHOD(Async_Coroutine, isSuspended) {
  ZEND_PARSE_PARAMETERS_NONE();
  const CoroutineState state = this_coroutine(ZEND_THIS).handle.state();
  RETURN_BOOL(state == CoroutineState::suspended || state == CoroutineState::ready);
}

ZEND_METHOD(Async_Coroutine, isCancelled) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_coroutine(ZEND_THIS).handle.is_cancelled());
}

ZEND_METHOD(Async_Coroutine, isCancellationRequested) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_coroutine(ZEND_THIS);
  RETURN_BOOL(self.handle.is_cancellation_requested() && !self.cancellation_delivered);
}

ZEND_METHOD(Async_Coroutine, isCompleted) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(this_coroutine(ZEND_THIS).handle.is_finished());
}

ZEND_METHOD(Async_Coroutine, getAwaitingInfo) {
  ZEND_PARSE_PARAMETERS_NONE();
  array_init(return_value);
  catch_to_php([&] {
    const auto& self = this_coroutine(ZEND_THIS);
    const std::string text = engine::describe_waiting_function(self) + self.handle.wait_description();
    if (!text.empty()) add_next_index_stringl(return_value, text.data(), text.size());
  });
}

ZEND_METHOD(Async_Coroutine, cancel) {
  zend_object* reason;
  if (!parse_reason(execute_data, reason)) return;
  this_coroutine(ZEND_THIS).cancel(reason);
}

ZEND_METHOD(Async_Coroutine, finally) {
  zval* callback;
  if (!parse_closure(execute_data, callback)) return;
  auto& self = this_coroutine(ZEND_THIS);
  if (self.block().is_alive()) {
    self.finally_handlers.emplace_back(callback);
    return;
  }
  zval result;
  zval argument;
  ZVAL_OBJ(&argument, Z_OBJ_P(ZEND_THIS));
  if (call(callback, {argument}, &result)) zval_ptr_dtor(&result);
}
