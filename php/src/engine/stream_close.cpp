#include "engine/stream_close.hpp"

#include <string_view>

#include "engine/curl_files.hpp"
#include "engine/exclusive_access.hpp"
#include "engine/runtime.hpp"
#include "engine/stream_access.hpp"
#include "support/source_location.hpp"
#include "trueasync/blocking.hpp"

extern "C" {
#include "ext/standard/file.h"
#include "main/php_network.h"
}

namespace trueasync::php::engine {

namespace {

// A coroutine that waits for the descriptor returns after one yield, a waiter of the write lock after a second. Other
// waits inside a stream function cannot be interrupted from here, so the number of yields is bounded.
constexpr int kMaxYieldsPerUser = 4;
constexpr int kMaxYields = 10000;

// The descriptor of a stream whose waits are system calls; -1 for other streams.
int descriptor_of(php_stream& stream) noexcept {
  // php_stream_cast() cannot be used: it rejects streams with filters and may read from a TLS stream.
  const std::string_view label = stream.ops->label;
  if (label.find("socket") != label.npos) return static_cast<php_netstream_data_t*>(stream.abstract)->socket;
  if (label != "STDIO") return -1;
  int descriptor = -1;
  const int how = PHP_STREAM_AS_FD_FOR_SELECT;
  return stream.ops->cast(&stream, how, reinterpret_cast<void**>(&descriptor)) == SUCCESS ? descriptor : -1;
}

// Waits on the descriptor are tracked by the descriptor. Other waits, in PHP code of a filter or wrapper or for the
// write lock, are found only by inspecting the frames of all coroutines.
bool may_have_untracked_waiter(const php_stream& stream) noexcept {
  const bool has_filters = stream.readfilters.head || stream.writefilters.head;
  const bool is_user_space = std::string_view(stream.ops->label) == "user-space";
  return is_user_space || has_filters || (stream.flags & (kReadActive | kWriteActive));
}

bool is_argument(const zend_execute_data& frame, uint32_t number, const void* stream) noexcept {
  if (ZEND_CALL_NUM_ARGS(&frame) < number) return false;
  const zval* argument = ZEND_CALL_ARG(&frame, number);
  return Z_TYPE_P(argument) == IS_RESOURCE && Z_COUNTED_P(argument) == stream;
}

// Stream functions are not methods and take the stream as the first argument. Functions such as call_user_func() only
// forward it.
bool is_stream_function(const zend_execute_data& frame, const void* stream) noexcept {
  if (frame.func->common.scope) return false;
  return is_argument(frame, 1, stream) ||
         (is_argument(frame, 2, stream) &&
          zend_string_equals_literal(frame.func->common.function_name, "stream_copy_to_stream"));
}

}  // namespace

php_stream* find_stream(zval* value) noexcept {
  if (Z_TYPE_P(value) != IS_RESOURCE) return nullptr;
  return static_cast<php_stream*>(zend_fetch_resource2_ex(value, nullptr, php_file_le_stream(), php_file_le_pstream()));
}

const CoroutineObject* wait_for_stream_users(zval* value) noexcept {
  const CoroutineObject* last = nullptr;
  for (int yields = 0, user_yields = 0; yields < kMaxYields && user_yields < kMaxYieldsPerUser;
       ++yields, ++user_yields) {
    php_stream* stream = find_stream(value);
    if (!stream) return nullptr;  // the wrapped function reports this
    const int descriptor = descriptor_of(*stream);
    const bool had_waiters = descriptor >= 0 && blocking::interrupt_waiters(descriptor);
    const CoroutineObject* other = nullptr;
    if (had_waiters || may_have_untracked_waiter(*stream))
      other = find_other_user(&is_stream_function, Z_COUNTED_P(value));
    if (!other && !had_waiters) other = find_curl_transfer_user(value);
    if (!other && !had_waiters) return nullptr;
    if (other && !scheduler->may_suspend()) return other;
    if (other != last) user_yields = 0;  // the previous user has returned
    last = other;
    detail::ControlBlock& self = *scheduler->running();
    ++self.protect_depth;  // the stream must be closed even if the caller is cancelled
    scheduler->yield_slow(executing_location());
    --self.protect_depth;
    if (is_bailing) bail_out();
  }
  const CoroutineObject* other = find_other_user(&is_stream_function, Z_COUNTED_P(value));
  return other ? other : find_curl_transfer_user(value);
}

}  // namespace trueasync::php::engine
