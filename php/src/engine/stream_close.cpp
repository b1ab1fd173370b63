#include "engine/stream_close.hpp"

#include <string_view>

#include "engine/curl_files.hpp"
#include "engine/in_use.hpp"
#include "engine/runtime.hpp"
#include "engine/tls_duplex.hpp"
#include "support/source_location.hpp"
#include "trueasync/blocking.hpp"

extern "C" {
#include "ext/standard/file.h"
#include "main/php_network.h"
}

namespace trueasync::php::engine {

namespace {

// Whoever waits for a descriptor has left after one, and those who wait for their turn after it; what else somebody may wait
// for in there can't be ended from here.
constexpr int kMaxYieldsPerUser = 4;
constexpr int kMaxYields = 10000;

// The descriptor of a stream that waits in the kernel; -1: of another kind, which may not be asked for one.
int descriptor_of(php_stream& stream) noexcept {
  // Not by php_stream_cast(): it refuses streams that have filters, and may read from TLS.
  const std::string_view label = stream.ops->label;
  if (label.find("socket") != label.npos) return static_cast<php_netstream_data_t*>(stream.abstract)->socket;
  if (label != "STDIO") return -1;
  int descriptor = -1;
  const int how = PHP_STREAM_AS_FD_FOR_SELECT;
  return stream.ops->cast(&stream, how, reinterpret_cast<void**>(&descriptor)) == SUCCESS ? descriptor : -1;
}

// Who waits for its descriptor is known to the descriptor; only other waits, of PHP code below, take a look at everybody.
bool may_have_untracked_waiter(const php_stream& stream) noexcept {
  const bool has_filters = stream.readfilters.head || stream.writefilters.head;
  const bool is_users = std::string_view(stream.ops->label) == "user-space";
  return is_users || has_filters || (stream.flags & (kReadActive | kWriteActive));
}

bool is_argument(const zend_execute_data& frame, uint32_t number, const void* stream) noexcept {
  if (ZEND_CALL_NUM_ARGS(&frame) < number) return false;
  const zval* argument = ZEND_CALL_ARG(&frame, number);
  return Z_TYPE_P(argument) == IS_RESOURCE && Z_COUNTED_P(argument) == stream;
}

// In a function of streams: they get it first. Others, like call_user_func(), only pass it on.
bool is_in_stream(const zend_execute_data& frame, const void* stream) noexcept {
  if (frame.func->common.scope) return false;
  return is_argument(frame, 1, stream) ||
         (is_argument(frame, 2, stream) &&
          zend_string_equals_literal(frame.func->common.function_name, "stream_copy_to_stream"));
}

}  // namespace

php_stream* stream_of(zval* value) noexcept {
  if (Z_TYPE_P(value) != IS_RESOURCE) return nullptr;
  return static_cast<php_stream*>(zend_fetch_resource2_ex(value, nullptr, php_file_le_stream(), php_file_le_pstream()));
}

const CoroutineObject* wait_for_stream_users(zval* value) noexcept {
  const CoroutineObject* last = nullptr;
  for (int all = 0, turn = 0; all < kMaxYields && turn < kMaxYieldsPerUser; ++all, ++turn) {
    php_stream* stream = stream_of(value);
    if (!stream) return nullptr;  // what that means is the function's to say
    const int descriptor = descriptor_of(*stream);
    const bool was_waited_for = descriptor >= 0 && blocking::interrupt_waiters(descriptor);
    const CoroutineObject* other = nullptr;
    if (was_waited_for || may_have_untracked_waiter(*stream))
      other = find_other_user(&is_in_stream, Z_COUNTED_P(value));
    if (!other && !was_waited_for) other = find_curl_transfer_user(value);
    if (!other && !was_waited_for) return nullptr;
    if (other && !scheduler->may_suspend()) return other;
    if (other != last) turn = 0;  // one has left
    last = other;
    detail::ControlBlock& self = *scheduler->running();
    ++self.protect_depth;  // to be closed all the same
    scheduler->yield_slow(executing_location());
    --self.protect_depth;
    if (is_bailing) bail_out();
  }
  const CoroutineObject* other = find_other_user(&is_in_stream, Z_COUNTED_P(value));
  return other ? other : find_curl_transfer_user(value);
}

}  // namespace trueasync::php::engine
