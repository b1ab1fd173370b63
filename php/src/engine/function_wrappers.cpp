#include "engine/function_wrappers.hpp"

#include <deque>

extern "C" {
#include "zend_extensions.h"
}

namespace trueasync::php::engine {

namespace {

struct Wrapping {
  zif_handler original;
  Wrapper wrapper;
};

// Functions point to them.
std::deque<Wrapping> wrappings;
int slot = -1;

void run(INTERNAL_FUNCTION_PARAMETERS) {
  const auto* found = static_cast<const Wrapping*>(EX(func)->internal_function.reserved[slot]);
  found->wrapper(found->original, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void unwrap_table(HashTable* functions) noexcept {
  void* item;
  ZEND_HASH_FOREACH_PTR(functions, item) {
    zend_internal_function* function = internal_function(static_cast<zend_function*>(item));
    if (function && function->handler == &run) {
      function->handler = static_cast<const Wrapping*>(function->reserved[slot])->original;
    }
  }
  ZEND_HASH_FOREACH_END();
}

}  // namespace

void reserve_function_slot() noexcept { slot = zend_get_resource_handle("true_async"); }

void wrap(zend_internal_function& function, Wrapper wrapper) {
  // Without a place – some six extensions want one – PHP's functions stay as they are.
  if (slot < 0 || function.handler == &run || !function.handler) return;
  function.reserved[slot] = &wrappings.emplace_back(Wrapping{function.handler, wrapper});
  function.handler = &run;
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
  wrappings.clear();
}

}  // namespace trueasync::php::engine
