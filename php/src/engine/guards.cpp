#include "engine/guards.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <string_view>

#include "engine/connection_guards.hpp"
#include "engine/in_use.hpp"
#include "engine/runtime.hpp"
#include "engine/stream_close.hpp"
#include "engine/tls_duplex.hpp"
#include "engine/wrapping.hpp"
#include "engine/write_turns.hpp"
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

bool is_reading(const zend_execute_data& frame, const void* stream) noexcept;

// One at a time fills the stream's buffer.
void read_stream(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* first = scheduler ? first_argument(execute_data) : nullptr;
  php_stream* stream = first ? stream_of(first) : nullptr;
  if (!stream) return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (!go_in(*stream, kBeingRead)) {
    // By this coroutine itself, from a filter for instance, is PHP's own affair.
    const CoroutineObject* other = other_with_frame(&is_reading, stream);
    if (other) return refuse(*other, "is using it");
    return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (php_stream* left = stream_of(first)) come_out(*left, kBeingRead);
}

bool is_writing(const zend_execute_data& frame, const void* resource) noexcept;

void write_stream(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zval* first = scheduler ? first_argument(execute_data) : nullptr;
  php_stream* stream = first ? stream_of(first) : nullptr;
  if (!stream) return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  zend_resource* resource = Z_RES_P(first);
  if (!go_in(*stream, kBeingWritten)) {
    const bool has_others = is_turn_free(*resource) || other_with_frame(&is_writing, resource);
    if (!has_others || !scheduler->may_suspend()) return original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    if (!wait_for_turn(*resource)) return;
    stream = stream_of(first);
    if (stream) take_over(*stream, kBeingWritten);
  }
  original(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  stream = stream_of(first);
  if (stream) come_out(*stream, kBeingWritten);
  if (pass_turn(*resource) && stream) stream->flags |= kBeingWritten;
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
    {"fgets", &read_stream},
    {"fgetc", &read_stream},
    {"fread", &read_stream},
    {"fgetcsv", &read_stream},
    {"fscanf", &read_stream},
    {"fpassthru", &read_stream},
    {"stream_get_contents", &read_stream},
    {"stream_get_line", &read_stream},
    {"stream_copy_to_stream", &read_stream},
    {"fwrite", &write_stream},
    {"fputs", &write_stream},
    {"fputcsv", &write_stream},
    {"fprintf", &write_stream},
    {"vfprintf", &write_stream},
    {"session_start", &use_session},
    {"session_write_close", &use_session},
    {"session_commit", &use_session},
    {"session_abort", &use_session},
    {"session_destroy", &use_session},
    {"session_regenerate_id", &use_session},
};

// Whether the frame is of a function that has this around it.
bool is_in(Wrapper wrapper, const zend_execute_data& frame) noexcept {
  const std::string_view name = ZSTR_VAL(frame.func->common.function_name);
  const auto* found = std::find_if(std::begin(kGuarded), std::end(kGuarded),
                                   [&](const Guarded& one) { return one.wrapper == wrapper && one.name == name; });
  return found != std::end(kGuarded);
}

bool is_reading(const zend_execute_data& frame, const void* stream) noexcept {
  return is_in(&read_stream, frame) && is_given_stream(frame, stream);
}
bool is_writing(const zend_execute_data& frame, const void* resource) noexcept {
  return is_in(&write_stream, frame) && is_given(frame, resource);
}

}  // namespace

void hook_guards() noexcept {
  static std::mutex at_once;  // other threads' requests start, too
  static uint32_t known_modules = 0;
  const std::lock_guard lock(at_once);
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
