#include "engine/curl_files.hpp"

#include <string_view>

#include "engine/in_use.hpp"

namespace trueasync::php::engine {

namespace {

// Too few references for a transfer to have one: a variable's and the argument's.
bool may_be_held(const zval* stream) noexcept { return GC_REFCOUNT(Z_COUNTED_P(stream)) >= 3; }

constexpr int kDepth = 2;  // a multi handle's easy handles have the files

// What curl's handles hold is known to the collector.
bool holds(zend_object* handle, const void* thing, int depth) noexcept {
  if (!handle->handlers->get_gc || depth == 0) return false;
  for (int i = 0;; ++i) {
    zval* table;
    int count;
    // Each time anew: all objects share the table, those inside, too.
    handle->handlers->get_gc(handle, &table, &count);
    if (i >= count) return false;
    if (Z_REFCOUNTED(table[i]) && Z_COUNTED(table[i]) == thing) return true;
    if (Z_TYPE(table[i]) == IS_OBJECT && holds(Z_OBJ(table[i]), thing, depth - 1)) return true;
  }
}

bool transfers(const zend_execute_data& frame, const void* stream) noexcept {
  if (std::string_view(frame.func->internal_function.module->name) != "curl") return false;
  if (ZEND_CALL_NUM_ARGS(&frame) == 0) return false;
  const zval* handle = ZEND_CALL_ARG(&frame, 1);
  return Z_TYPE_P(handle) == IS_OBJECT && holds(Z_OBJ_P(handle), stream, kDepth);
}

}  // namespace

const CoroutineObject* find_curl_transfer_user(const zval* stream) noexcept {
  return may_be_held(stream) ? find_other_user(&transfers, Z_COUNTED_P(stream)) : nullptr;
}

}  // namespace trueasync::php::engine
