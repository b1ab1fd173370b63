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

// Whether the engine makes the call itself: output, compilation, and objects freed at the end of the request or by the
// cycle collector. During such a free, another coroutine could free an object that shares the connection.
bool is_engine_call(const zend_execute_data& frame) noexcept {
  if (!frame.func) return true;
  if (!ZEND_USER_CODE(frame.func->type)) return frame.func->internal_function.module == nullptr;
  const zend_uchar opcode = frame.opline->opcode;
  return opcode == ZEND_ECHO || opcode == ZEND_INCLUDE_OR_EVAL;
}

bool may_suspend() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  return !is_bailing && !NoSuspendScope::is_active() && current() && frame && !is_engine_call(*frame);
}

// Whether EG(exception) is the interruption or has it among its previous exceptions.
bool is_in_flight(const zend_object* interruption) noexcept {
  for (zend_object* error = EG(exception); error && interruption;) {
    if (error == interruption) return true;
    if (!instanceof_function(error->ce, zend_ce_throwable)) return false;  // exit()
    zval rv;
    zend_class_entry* base = instanceof_function(error->ce, zend_ce_exception) ? zend_ce_exception : zend_ce_error;
    const zval* previous = zend_read_property_ex(base, error, ZSTR_KNOWN(ZEND_STR_PREVIOUS), true, &rv);
    error = Z_TYPE_P(previous) == IS_OBJECT ? Z_OBJ_P(previous) : nullptr;
  }
  return false;
}

// An internal function whose call was interrupted must not start another wait. After that function has returned,
// destructors that run while PHP code unwinds may wait.
bool is_interrupting() noexcept {
  CoroutineObject* self = current();
  if (!self || !self->interruption) return false;
  if (!EG(exception)) self->interruption = nullptr;
  const zend_execute_data* frame = EG(current_execute_data);
  const bool is_in_function = frame && frame->func && !ZEND_USER_CODE(frame->func->type);
  return is_in_function && is_in_flight(self->interruption);
}

void on_interrupted(const blocking::Interruption& interruption) noexcept {
  if (EG(exception)) return;
  if (interruption.cause) {
    throw_exception(interruption.cause);
  } else {
    throw_exception(own_cancellation());
  }
  if (CoroutineObject* self = current()) self->interruption = EG(exception);
}

// The curl_multi_*() functions never wait, so a program does not expect another coroutine to use the handle in the
// middle of one. Their callbacks are PHP code and may yield.
bool may_yield() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  const zend_string* name = frame && frame->func ? frame->func->common.function_name : nullptr;
  const std::string_view text = name ? ZSTR_VAL(name) : "";
  return !text.starts_with("curl_multi_") || text == "curl_multi_select";
}

// Whether the running function belongs to this PHP module.
bool is_in_module(std::string_view name) noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  const zend_internal_function* function = frame ? internal_function(frame->func) : nullptr;
  return function && function->module && name == function->module->name;
}

// Streams are closed by a function of the module "standard", or by user code that drops the last reference. Any other
// close() concerns a descriptor of a library, in the middle of an operation.
bool close_waits_for_users() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  if (!frame || !frame->func) return false;
  return ZEND_USER_CODE(frame->func->type) || is_in_module("standard");
}

// PHP drops its record of the process, so the reactor must reap it. A program that uses pcntl may call waitpid() again.
void on_child_wait_abandoned(int process) noexcept {
  if (is_in_module("pcntl")) return;
  try {
    scheduler->reactor().new_process(process)->enable_auto_reap();
  } catch (...) {  // init reaps the child after this process exits
  }
}

constexpr blocking::Host kHost{
    &location, &may_suspend, &is_interrupting, &on_interrupted, &on_child_wait_abandoned, &close_waits_for_users,
    &may_yield};

void (*error_next)(int type, zend_string* file, const uint32_t line, zend_string* message) = nullptr;

// Suppresses the warning of a function whose call was interrupted: the interruption itself is thrown.
void on_error(int type, zend_string* file, const uint32_t line, zend_string* message) {
  constexpr int kWarnings = E_WARNING | E_NOTICE;
  if ((type & kWarnings) && scheduler && is_interrupting()) return;
  error_next(type, file, line, message);
}

}  // namespace

// Whether the error class belongs to the running function's extension. Errors of PHP code in a callback do not.
static bool is_extension_error(const zend_object& error) noexcept {
  const zend_internal_function* function = internal_function(EG(current_execute_data)->func);
  return function && error.ce->type == ZEND_INTERNAL_CLASS && error.ce->info.internal.module == function->module;
}

void prefer_interruption() noexcept {
  CoroutineObject* self = current();
  if (!self || EG(exception) == self->interruption || !is_in_flight(self->interruption)) return;
  if (!is_extension_error(*EG(exception))) return;
  auto* interruption = const_cast<zend_object*>(self->interruption);
  GC_ADDREF(interruption);
  zend_object* wrapper = EG(exception);
  EG(exception) = interruption;
  OBJ_RELEASE(wrapper);
}

void hook_errors() noexcept {
  error_next = zend_error_cb;
  zend_error_cb = &on_error;
}

void unhook_errors() noexcept {
  if (zend_error_cb == &on_error) zend_error_cb = error_next;
}

void hook_blocking_calls() {
  NoSuspendScope::reset();
  if (!INI_BOOL("async.hook_blocking_calls") || !blocking::is_available()) return;
  blocking::set_host(&kHost);
  if (blocking::is_enabled()) {
    blocking::refresh();
  } else {
    // Opcache's lock is held between processes and must not be held by a suspended coroutine. A debugger must stop the
    // whole process.
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
