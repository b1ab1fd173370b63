#include "engine/curl_files.hpp"

#include <string_view>

#include "engine/exclusive_access.hpp"

namespace trueasync::php::engine {

namespace {

// A variable and the argument hold two references. A transfer would hold a third.
bool may_be_held(const zval* stream) noexcept { return GC_REFCOUNT(Z_COUNTED_P(stream)) >= 3; }

constexpr int kMaxDepth = 2;  // multi handle, easy handle

// curl's handles report the streams they hold through get_gc.
bool holds(zend_object* handle, const void* stream, int depth) noexcept {
  if (!handle->handlers->get_gc || depth == 0) return false;
  for (int i = 0;; ++i) {
    zval* table;
    int count;
    // All objects share one table, and the recursive call overwrites it: query it again for each element.
    handle->handlers->get_gc(handle, &table, &count);
    if (i >= count) return false;
    if (Z_REFCOUNTED(table[i]) && Z_COUNTED(table[i]) == stream) return true;
    if (Z_TYPE(table[i]) == IS_OBJECT && holds(Z_OBJ(table[i]), stream, depth - 1)) return true;
  }
}

bool is_transfer_with(const zend_execute_data& frame, const void* stream) noexcept {
  if (std::string_view(frame.func->internal_function.module->name) != "curl") return false;
  if (ZEND_CALL_NUM_ARGS(&frame) == 0) return false;
  const zval* handle = ZEND_CALL_ARG(&frame, 1);
  return Z_TYPE_P(handle) == IS_OBJECT && holds(Z_OBJ_P(handle), stream, kMaxDepth);
}

}  // namespace

const CoroutineObject* find_curl_transfer_user(const zval* stream) noexcept {
  return may_be_held(stream) ? find_other_user(&is_transfer_with, Z_COUNTED_P(stream)) : nullptr;
}

}  // namespace trueasync::php::engine
