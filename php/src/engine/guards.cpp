#include "engine/guards.hpp"

#include <array>
#include <string_view>

#include "engine/connection_guards.hpp"
#include "engine/in_use.hpp"
#include "engine/runtime.hpp"
#include "engine/stream_close.hpp"
#include "engine/tls_duplex.hpp"
#include "engine/wrapping.hpp"
#include "support/error.hpp"

namespace trueasync::php::engine {

namespace {

zval* first_argument(zend_execute_data* frame) noexcept {
  return ZEND_CALL_NUM_ARGS(frame) ? ZEND_CALL_ARG(frame, 1) : nullptr;
}

void close_stream(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* stream = scheduler ? first_argument(execute_data) : nullptr;
  const CoroutineObject* left = stream ? let_others_leave(stream) : nullptr;
  if (left) return refuse(*left, "is using it");
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// Reads: the stream's buffer is filled by one at a time.
template <uint32_t Flag>
bool does_the_same(const zend_execute_data& frame, const void* stream) noexcept;

template <uint32_t Flag>
void use_stream(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* first = scheduler ? first_argument(execute_data) : nullptr;
  php_stream* stream = first ? stream_of(first) : nullptr;
  if (!stream) return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (!go_in(*stream, Flag)) {
    // By this coroutine itself, from a filter for instance, is PHP's own affair.
    const CoroutineObject* other = other_with_frame(&does_the_same<Flag>, Z_COUNTED_P(first));
    if (other) return refuse(*other, "is using it");
    return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (php_stream* left = stream_of(first)) come_out(*left, Flag);
}

// Writers of other streams write one after the other, as processes do that share one.
void write_stream(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* first = scheduler ? first_argument(execute_data) : nullptr;
  php_stream* stream = first ? stream_of(first) : nullptr;
  if (!stream || !is_of_openssl(*stream)) return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  use_stream<kBeingWritten>(original, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

bool is_of_session(const zend_execute_data& frame, const void*) noexcept {
  return std::string_view(frame.func->internal_function.module->name) == "session";
}

// There is one session for all.
void use_session(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  if (const CoroutineObject* other = other_with_frame(&is_of_session, nullptr))
    return refuse(*other, "waits for the session");
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

struct Guarded {
  std::string_view name;
  Wrapper wrapper;
};

constexpr Guarded kGuarded[] = {
    {"fclose", &close_stream},
    {"pclose", &close_stream},
    {"fgets", &use_stream<kBeingRead>},
    {"fgetc", &use_stream<kBeingRead>},
    {"fread", &use_stream<kBeingRead>},
    {"fgetcsv", &use_stream<kBeingRead>},
    {"fscanf", &use_stream<kBeingRead>},
    {"fpassthru", &use_stream<kBeingRead>},
    {"stream_get_contents", &use_stream<kBeingRead>},
    {"stream_get_line", &use_stream<kBeingRead>},
    {"stream_copy_to_stream", &use_stream<kBeingRead>},
    {"fwrite", &write_stream},
    {"fputs", &write_stream},
    {"session_start", &use_session},
    {"session_write_close", &use_session},
    {"session_commit", &use_session},
    {"session_abort", &use_session},
    {"session_destroy", &use_session},
    {"session_regenerate_id", &use_session},
};

template <uint32_t Flag>
bool does_the_same(const zend_execute_data& frame, const void* stream) noexcept {
  const std::string_view name = ZSTR_VAL(frame.func->common.function_name);
  for (const Guarded& one : kGuarded) {
    const bool is_it = (Flag == kBeingRead ? one.wrapper == &use_stream<Flag> : one.wrapper == &write_stream);
    if (is_it && one.name == name) return is_given(frame, stream);
  }
  return false;
}

}  // namespace

void hook_guards() noexcept {
  static uint32_t known_modules = 0;
  const uint32_t modules = zend_hash_num_elements(&module_registry);
  if (modules == known_modules) return;
  known_modules = modules;
  guarded([] {
    for (const Guarded& one : kGuarded) {
      void* found = zend_hash_str_find_ptr(CG(function_table), one.name.data(), one.name.size());
      if (auto* function = internal_function(static_cast<zend_function*>(found))) wrap(*function, one.wrapper);
    }
    guard_connections();
  });
}

}  // namespace trueasync::php::engine
