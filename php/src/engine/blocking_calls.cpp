#include "engine/blocking_calls.hpp"

#include "engine/function_wrappers.hpp"
#include "engine/runtime.hpp"
#include "reactor/process_event.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"
#include "trueasync/blocking.hpp"

extern "C" {
#include "php_ini.h"
}

namespace trueasync::php::engine {

namespace {

SourceLocation location(const char*) noexcept { return executing_location(); }

// A call on behalf of the engine, not of a function that PHP code has called: what it prints, what it compiles, and the
// objects it frees at the end or in the collector – where one that waited would let others free what shares its connection.
bool is_of_engine(const zend_execute_data& frame) noexcept {
  if (!frame.func) return true;
  if (!ZEND_USER_CODE(frame.func->type)) return frame.func->internal_function.module == nullptr;
  const zend_uchar opcode = frame.opline->opcode;
  return opcode == ZEND_ECHO || opcode == ZEND_INCLUDE_OR_EVAL;
}

bool may_suspend() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  return !is_bailing && !NoSuspendScope::is_active() && current() && frame && !is_of_engine(*frame);
}

// It, or an error that was made of it, is in flight.
bool is_in_flight(const zend_object* interruption) noexcept {
  for (zend_object* error = EG(exception); error && interruption;) {
    if (error == interruption) return true;
    if (!instanceof_function(error->ce, zend_ce_throwable)) return false;  // an exit()
    zval rv;
    zend_class_entry* base = instanceof_function(error->ce, zend_ce_exception) ? zend_ce_exception : zend_ce_error;
    const zval* previous = zend_read_property_ex(base, error, ZSTR_KNOWN(ZEND_STR_PREVIOUS), true, &rv);
    error = Z_TYPE_P(previous) == IS_OBJECT ? Z_OBJ_P(previous) : nullptr;
  }
  return false;
}

// What ended a call is on its way to PHP code: the function that got it is not to wait for anything else. Once that has
// returned, what is freed while PHP code unwinds may.
bool is_ending() noexcept {
  CoroutineObject* self = current();
  if (!self || !self->interruption) return false;
  if (!EG(exception)) self->interruption = nullptr;
  const zend_execute_data* frame = EG(current_execute_data);
  const bool is_in_function = frame && frame->func && !ZEND_USER_CODE(frame->func->type);
  return is_in_function && is_in_flight(self->interruption);
}

void interrupted(const blocking::Interruption& interruption) noexcept {
  if (EG(exception)) return;
  if (interruption.cause) {
    throw_exception(interruption.cause);
  } else {
    throw_exception(own_cancellation());
  }
  if (CoroutineObject* self = current()) self->interruption = EG(exception);
}

// These never wait: others that use the same handle do not expect to meet somebody in the middle of them. In their callbacks,
// which are PHP's, anybody may.
bool may_pass_turn() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  const zend_string* name = frame && frame->func ? frame->func->common.function_name : nullptr;
  const std::string_view text = name ? ZSTR_VAL(name) : "";
  return !text.starts_with("curl_multi_") || text == "curl_multi_select";
}

// Whether the running function is of this module of PHP's.
bool is_in_module(std::string_view name) noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  const zend_internal_function* function = frame ? internal_function(frame->func) : nullptr;
  return function && function->module && name == function->module->name;
}

// What closes a stream of PHP's: one of its functions, or the end of what had it. Not a library's own descriptor, in the
// middle of something.
bool waiters_leave_first() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  if (!frame || !frame->func) return false;
  return ZEND_USER_CODE(frame->func->type) || is_in_module("standard");
}

// PHP forgets the process, so nobody else would take it off the system's table. Who asks with pcntl may ask again.
void left_process(int process) noexcept {
  if (is_in_module("pcntl")) return;
  try {
    scheduler->reactor().new_process(process)->enable_auto_reap();
  } catch (...) {  // then the end of this process does it
  }
}

constexpr blocking::Host kHost{&location,     &may_suspend,         &is_ending,    &interrupted,
                               &left_process, &waiters_leave_first, &may_pass_turn};

void (*error_next)(int type, zend_string* file, const uint32_t line, zend_string* message) = nullptr;

// Of a call that was ended a function says that it failed. Nobody has to be told: its cancellation comes.
void on_error(int type, zend_string* file, const uint32_t line, zend_string* message) {
  constexpr int kRemarks = E_WARNING | E_NOTICE;
  if ((type & kRemarks) && scheduler && is_ending()) return;
  error_next(type, file, line, message);
}

}  // namespace

// An error that the running function's own extension made; one of PHP code, in a callback, stays.
static bool is_of_extension(const zend_object& error) noexcept {
  const zend_internal_function* function = internal_function(EG(current_execute_data)->func);
  return function && error.ce->type == ZEND_INTERNAL_CLASS && error.ce->info.internal.module == function->module;
}

void prefer_interruption() noexcept {
  CoroutineObject* self = current();
  if (!self || EG(exception) == self->interruption || !is_in_flight(self->interruption)) return;
  if (!is_of_extension(*EG(exception))) return;
  auto* interruption = const_cast<zend_object*>(self->interruption);
  GC_ADDREF(interruption);
  zend_object* made_of_it = EG(exception);
  EG(exception) = interruption;
  OBJ_RELEASE(made_of_it);
}

void hook_errors() noexcept {
  error_next = zend_error_cb;
  zend_error_cb = &on_error;
}

void unhook_errors() noexcept {
  if (zend_error_cb == &on_error) zend_error_cb = error_next;
}

void hook_blocking_calls() {
  NoSuspendScope::forget();
  if (!zend_ini_long("async.hook", sizeof("async.hook") - 1, 0) || !blocking::is_available()) return;
  blocking::set_host(&kHost);
  if (blocking::is_enabled()) {
    blocking::refresh();
  } else {
    // Opcache's lock is between processes and knows no coroutines; a debugger stops everything.
    blocking::exclude({"opcache", "xdebug"});
    blocking::enable();
  }
}

std::string describe_waiting_function(const CoroutineObject& coroutine) {
  const zend_execute_data* frame = coroutine.state.current_execute_data;
  if (coroutine.block().phase != detail::Phase::suspended || !frame || !frame->func) return {};
  if (frame->func->type != ZEND_INTERNAL_FUNCTION) return {};
  const zend_internal_function& function = frame->func->internal_function;
  if (!function.module || std::string_view(function.module->name) == "true_async") return {};
  const std::string scope = function.scope ? ZSTR_VAL(function.scope->name) + std::string("::") : std::string();
  return scope + ZSTR_VAL(function.function_name) + "(): ";
}

void unhook_blocking_calls() noexcept {
  blocking::disable();
  blocking::set_host(nullptr);
}

}  // namespace trueasync::php::engine
