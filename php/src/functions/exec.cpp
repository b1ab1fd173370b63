// Async\exec(): runs a shell command and returns a future of its output and exit code.
//
// A separate coroutine runs the command; its body is the internal function run_in_coroutine(). Cancelling the future
// cancels the coroutine, which kills the process.
#include "trueasync/io/process.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "future_link.hpp"
#include "support/duration.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"

namespace trueasync::php {

namespace {

// The positions of the arguments that the coroutine gets.
enum Argument : uint32_t { kCommand, kTimeout, kDirectory, kEnvironment, kReturnAll, kArgumentCount };

std::string_view to_text(const zval* value) noexcept { return {Z_STRVAL_P(value), Z_STRLEN_P(value)}; }

// As PHP's exec(): without trailing whitespace.
std::string_view last_line(std::string_view output) noexcept {
  constexpr std::string_view kSpace = " \t\n\r\v\f";
  if (!output.empty() && output.back() == '\n') output.remove_suffix(1);
  output.remove_prefix(output.find_last_of('\n') + 1);
  return output.substr(0, output.find_last_not_of(kSpace) + 1);
}

// As in a shell: 128 + n after signal n. -1: the status is unknown.
zend_long exit_code(const ExitStatus& status) noexcept {
  if (!status.known) return -1;
  return status.signal ? 128 + status.signal : status.code;
}

// Converts [name => value] to a list of "name=value" strings; an entry with an integer key is copied. Returns false if
// EG(exception) is set.
bool flatten_environment(zval* environment, zval* flat) {
  zend_string* name;
  zval* value;
  array_init(flat);
  ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(environment), name, value) {
    zend_string* text = zval_try_get_string(value);
    if (!text) return false;
    add_next_index_str(flat, name ? strpprintf(0, "%s=%s", ZSTR_VAL(name), ZSTR_VAL(text)) : zend_string_copy(text));
    zend_string_release(text);
  }
  ZEND_HASH_FOREACH_END();
  return true;
}

std::vector<std::string> to_environment(const zval* flat) {
  std::vector<std::string> environment;
  zval* entry;
  ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(flat), entry) { environment.emplace_back(to_text(entry)); }
  ZEND_HASH_FOREACH_END();
  return environment;
}

ExecOptions to_options(const zval* arguments) {
  ExecOptions options;
  options.command = to_text(&arguments[kCommand]);
  if (Z_TYPE(arguments[kDirectory]) == IS_STRING) options.directory = to_text(&arguments[kDirectory]);
  if (Z_TYPE(arguments[kEnvironment]) == IS_ARRAY) options.environment = to_environment(&arguments[kEnvironment]);
  options.stderr_mode = StderrMode::inherit;
  options.max_captured = SIZE_MAX;
  return options;
}

void run_command(zval* arguments, zval* return_value) {
  WaitOptions wait;
  if (const zend_long timeout = Z_LVAL(arguments[kTimeout])) wait = to_duration(timeout);
  const ExecResult result = exec(to_options(arguments), wait, executing_location());
  if (result.timed_out) {
    return throw_exception(exceptions.timeout, "Command timed out after " +
                                                   std::to_string(Z_LVAL(arguments[kTimeout])) +
                                                   " ms: " + std::string(to_text(&arguments[kCommand])));
  }
  const bool returns_all = Z_TYPE(arguments[kReturnAll]) == IS_TRUE;
  const std::string_view output = returns_all ? std::string_view(result.output) : last_line(result.output);
  array_init(return_value);
  add_next_index_stringl(return_value, output.data(), output.size());
  add_next_index_long(return_value, exit_code(result.status));
}

void run_in_coroutine(INTERNAL_FUNCTION_PARAMETERS) {
  catch_to_php([&] { run_command(ZEND_CALL_ARG(execute_data, 1), return_value); });
  if (engine::is_bailing) engine::bail_out();
}

// An internal function that is not in any function table; only exec() calls it.
zend_function make_function() noexcept {
  zend_function function{};
  function.internal_function.type = ZEND_INTERNAL_FUNCTION;
  function.internal_function.handler = &run_in_coroutine;
  return function;
}

zend_function* coroutine_function() noexcept {
  static zend_function function = make_function();
  if (!function.common.function_name) {
    function.common.function_name = zend_string_init_interned("exec", sizeof("exec") - 1, true);
  }
  return &function;
}

// Starts the coroutine and returns the future; the caller gets a reference.
zend_object* start_command(zval* arguments, SourceLocation location) {
  zend_fcall_info call{};
  call.size = sizeof(call);
  ZVAL_UNDEF(&call.function_name);
  call.param_count = kArgumentCount;
  call.params = arguments;
  zend_fcall_info_cache cache{};
  cache.function_handler = coroutine_function();
  FutureStateObject& state = make_future_state(location);
  zend_object* future = make_future(state);
  GC_ADDREF(object_of(state));  // for the FutureLink
  FutureLink::start(std::make_unique<FutureLink>(LinkKind::run, call, cache, state, location));
  return future;
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_FUNCTION(Async_exec) {
  zend_string* command;
  zend_long timeout = 0;
  zend_string* directory = nullptr;
  zval* environment = nullptr;
  bool returns_all = false;
  ZEND_PARSE_PARAMETERS_START(1, 5)
  Z_PARAM_STR(command)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(timeout)
  Z_PARAM_PATH_STR_OR_NULL(directory)
  Z_PARAM_ARRAY_OR_NULL(environment)
  Z_PARAM_BOOL(returns_all)
  ZEND_PARSE_PARAMETERS_END();
  if (ZSTR_LEN(command) == 0) {
    zend_argument_value_error(1, "cannot be empty");
    return;
  }
  if (ZSTR_LEN(command) != std::strlen(ZSTR_VAL(command))) {
    zend_argument_value_error(1, "must not contain any null bytes");
    return;
  }
  if (timeout < 0) {
    zend_argument_value_error(2, "must be greater than or equal to 0");
    return;
  }
  if (!engine::ensure_started()) return;
  zval arguments[kArgumentCount];
  ZVAL_STR(&arguments[kCommand], command);
  ZVAL_LONG(&arguments[kTimeout], timeout);
  ZVAL_NULL(&arguments[kDirectory]);
  if (directory) ZVAL_STR(&arguments[kDirectory], directory);
  ZVAL_NULL(&arguments[kEnvironment]);
  ZVAL_BOOL(&arguments[kReturnAll], returns_all);
  if (!environment || flatten_environment(environment, &arguments[kEnvironment])) {
    catch_to_php([&] { RETVAL_OBJ(start_command(arguments, executing_location())); });
  }
  zval_ptr_dtor(&arguments[kEnvironment]);
}
