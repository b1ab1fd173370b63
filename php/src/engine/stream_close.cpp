#include "engine/stream_close.hpp"

#include <string_view>

#include "engine/runtime.hpp"
#include "engine/switch.hpp"
#include "scheduler/yield.hpp"
#include "support/place.hpp"
#include "support/zend.hpp"
#include "trueasync/blocking.hpp"

extern "C" {
#include "ext/standard/file.h"
#include "main/php_streams.h"
}

namespace trueasync::php::engine {

namespace {

struct Hooked {
  const char* name;
  zif_handler hook;
  zif_handler original;
};

// The descriptor of a stream that waits in the kernel; -1: of another kind, which may not be asked for one.
int descriptor_of(zval* argument) noexcept {
  if (Z_TYPE_P(argument) != IS_RESOURCE) return -1;
  auto* stream =
      static_cast<php_stream*>(zend_fetch_resource2_ex(argument, nullptr, php_file_le_stream(), php_file_le_pstream()));
  if (!stream) return -1;
  const std::string_view label = stream->ops->label;
  if (label != "STDIO" && label.find("socket") == label.npos) return -1;
  php_socket_t descriptor = -1;
  const int how = PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL;
  return php_stream_cast(stream, how, reinterpret_cast<void**>(&descriptor), 0) == SUCCESS ? descriptor : -1;
}

// False: they can't leave now, because nobody may switch.
bool let_them_leave(int descriptor) noexcept {
  while (descriptor >= 0 && blocking::close_for_waiters(descriptor)) {
    if (!scheduler->may_suspend()) return false;
    detail::ControlBlock& self = *scheduler->running();
    ++self.protect_depth;  // to be closed all the same
    scheduler->yield_slowly(executing_place());
    --self.protect_depth;
    if (is_bailing) bail_out();
  }
  return true;
}

void close_with(zif_handler original, zend_execute_data* execute_data, zval* return_value) {
  if (scheduler && ZEND_NUM_ARGS() == 1 && !let_them_leave(descriptor_of(ZEND_CALL_ARG(execute_data, 1)))) {
    php_error_docref(nullptr, E_WARNING, "Another coroutine waits in this stream");
    RETURN_FALSE;
  }
  original(execute_data, return_value);
}

extern Hooked hooked[2];
void close_file(zend_execute_data* execute_data, zval* return_value) {
  close_with(hooked[0].original, execute_data, return_value);
}
void close_process(zend_execute_data* execute_data, zval* return_value) {
  close_with(hooked[1].original, execute_data, return_value);
}
Hooked hooked[2] = {{"fclose", &close_file, nullptr}, {"pclose", &close_process, nullptr}};

zend_internal_function* find(const char* name) noexcept {
  auto* function =
      static_cast<zend_function*>(zend_hash_str_find_ptr(CG(function_table), name, std::string_view(name).size()));
  return function && function->type == ZEND_INTERNAL_FUNCTION ? &function->internal_function : nullptr;
}

}  // namespace

void hook_stream_close() noexcept {
  for (Hooked& one : hooked) {
    zend_internal_function* function = find(one.name);
    if (!function) continue;  // disabled
    one.original = function->handler;
    function->handler = one.hook;
  }
}

void unhook_stream_close() noexcept {
  for (Hooked& one : hooked) {
    zend_internal_function* function = find(one.name);
    if (function && function->handler == one.hook) function->handler = one.original;
  }
}

}  // namespace trueasync::php::engine
