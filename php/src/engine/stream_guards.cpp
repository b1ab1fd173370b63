#include <mutex>
#include <string_view>
#include <unordered_map>

#include "engine/exclusive_access.hpp"
#include "engine/function_guards.hpp"
#include "engine/function_wrappers.hpp"
#include "engine/runtime.hpp"
#include "engine/stream_access.hpp"
#include "engine/stream_close.hpp"
#include "support/error.hpp"

extern "C" {
#include "ext/standard/proc_open.h"
}

namespace trueasync::php::engine {

namespace {

using Direction = StreamAccess::Direction;

zval* argument(zend_execute_data* frame, uint32_t number) noexcept {
  return ZEND_CALL_NUM_ARGS(frame) >= number ? ZEND_CALL_ARG(frame, number) : nullptr;
}

void close_stream(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* stream = scheduler ? argument(execute_data, 1) : nullptr;
  const CoroutineObject* user = stream ? wait_for_stream_users(stream) : nullptr;
  if (user) return throw_in_use(*user, "Stream");
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// proc_close() closes the pipes of the process.
void close_process(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* value = scheduler ? argument(execute_data, 1) : nullptr;
  const zend_resource* process = value && Z_TYPE_P(value) == IS_RESOURCE ? Z_RES_P(value) : nullptr;
  const char* type = process ? zend_rsrc_list_get_rsrc_type(Z_RES_P(value)) : nullptr;
  if (!type || std::string_view(type) != "process") return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  for (int i = 0; process->ptr && i < static_cast<php_process_handle*>(process->ptr)->npipes; ++i) {
    zend_resource* pipe = static_cast<php_process_handle*>(process->ptr)->pipes[i];
    if (!pipe) continue;
    zval stream;
    ZVAL_RES(&stream, pipe);
    if (const CoroutineObject* user = wait_for_stream_users(&stream)) return throw_in_use(*user, "Pipe");
  }
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

template <Direction kDirection, uint32_t kArgument = 1>
void use_stream(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* stream = scheduler ? argument(execute_data, kArgument) : nullptr;
  if (!stream) return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  StreamAccess access;
  if (!access.enter(stream, kDirection)) return;
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  access.leave();
}
constexpr Wrapper kReads = &use_stream<Direction::in>;
constexpr Wrapper kWrites = &use_stream<Direction::out>;

void copy_stream(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* to = scheduler ? argument(execute_data, 2) : nullptr;
  if (!to) return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  StreamAccess in;
  StreamAccess out;
  if (!in.enter(argument(execute_data, 1), Direction::in)) return;
  if (out.enter(to, Direction::out)) {
    original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    out.leave();
  }
  in.leave();
}

bool is_session_function(const zend_execute_data& frame, const void*) noexcept {
  return std::string_view(frame.func->internal_function.module->name) == "session";
}

// All coroutines of a request share one session.
void use_session(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  if (const CoroutineObject* other = find_other_user(&is_session_function, nullptr))
    return throw_in_use(*other, "Session");
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

struct GuardedFunction {
  std::string_view name;
  Wrapper wrapper;
};

constexpr GuardedFunction kGuardedFunctions[] = {
    {"fclose", &close_stream},
    {"pclose", &close_stream},
    {"proc_close", &close_process},
    {"fgets", kReads},
    {"fgetc", kReads},
    {"fread", kReads},
    {"fgetcsv", kReads},
    {"fscanf", kReads},
    {"fpassthru", kReads},
    {"stream_get_contents", kReads},
    {"stream_get_line", kReads},
    {"stream_copy_to_stream", &copy_stream},
    {"hash_update_stream", &use_stream<Direction::in, 2>},
    {"fwrite", kWrites},
    {"fputcsv", kWrites},
    {"fprintf", kWrites},
    {"vfprintf", kWrites},
    {"session_start", &use_session},
    {"session_write_close", &use_session},
    {"session_commit", &use_session},
    {"session_abort", &use_session},
    {"session_destroy", &use_session},
    {"session_regenerate_id", &use_session},
};

zend_internal_function* find_function(std::string_view name) noexcept {
  return internal_function(
      static_cast<zend_function*>(zend_hash_str_find_ptr(CG(function_table), name.data(), name.size())));
}

// Wraps by handler, not by name: aliases such as fputs() and gzgets() share the handler of the guarded function.
void guard_streams() {
  std::unordered_map<zif_handler, Wrapper> wrappers;
  for (const GuardedFunction& guarded : kGuardedFunctions) {
    const zend_internal_function* function = find_function(guarded.name);
    if (function) wrappers.emplace(function->handler, guarded.wrapper);
  }
  void* item;
  ZEND_HASH_FOREACH_PTR(CG(function_table), item) {
    zend_internal_function* function = internal_function(static_cast<zend_function*>(item));
    const auto found = function ? wrappers.find(function->handler) : wrappers.end();
    if (found != wrappers.end()) wrap(*function, found->second);
  }
  ZEND_HASH_FOREACH_END();
}

}  // namespace

void hook_guards() noexcept {
  static std::mutex mutex;  // in a thread-safe PHP, requests of several threads share the function table
  static uint32_t known_modules = 0;
  const std::lock_guard lock(mutex);
  const uint32_t modules = zend_hash_num_elements(&module_registry);
  if (modules == known_modules) return;
  known_modules = modules;
  catch_to_php([] {
    guard_streams();
    guard_connections();
  });
}

}  // namespace trueasync::php::engine
