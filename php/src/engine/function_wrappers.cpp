#include "engine/function_wrappers.hpp"

#include <deque>

extern "C" {
#include "zend_extensions.h"
}

namespace trueasync::php::engine {

namespace {

struct WrappedFunction {
  zif_handler original;
  Wrapper wrapper;
};

// A deque: functions hold pointers to the elements.
std::deque<WrappedFunction> wrapped_functions;
int slot = -1;

void call_wrapper(INTERNAL_FUNCTION_PARAMETERS) {
  const auto* wrapped = static_cast<const WrappedFunction*>(EX(func)->internal_function.reserved[slot]);
  wrapped->wrapper(wrapped->original, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void unwrap_table(HashTable* functions) noexcept {
  void* item;
  ZEND_HASH_FOREACH_PTR(functions, item) {
    zend_internal_function* function = internal_function(static_cast<zend_function*>(item));
    if (function && function->handler == &call_wrapper) {
      function->handler = static_cast<const WrappedFunction*>(function->reserved[slot])->original;
    }
  }
  ZEND_HASH_FOREACH_END();
}

}  // namespace

void reserve_function_slot() noexcept { slot = zend_get_resource_handle("true_async"); }

void wrap(zend_internal_function& function, Wrapper wrapper) {
  // The engine has six elements for all extensions. Without one, functions stay unwrapped.
  if (slot < 0 || function.handler == &call_wrapper || !function.handler) return;
  function.reserved[slot] = &wrapped_functions.emplace_back(WrappedFunction{function.handler, wrapper});
  function.handler = &call_wrapper;
}

zend_internal_function* internal_function(zend_function* function) noexcept {
  return function && function->type == ZEND_INTERNAL_FUNCTION ? &function->internal_function : nullptr;
}

void unwrap_all() noexcept {
  unwrap_table(CG(function_table));
  void* item;
  ZEND_HASH_FOREACH_PTR(CG(class_table), item) {
    auto* entry = static_cast<zend_class_entry*>(item);
    if (entry->type == ZEND_INTERNAL_CLASS) unwrap_table(&entry->function_table);
  }
  ZEND_HASH_FOREACH_END();
  wrapped_functions.clear();
}

}  // namespace trueasync::php::engine
