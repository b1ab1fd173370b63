// Parameter lists that several functions share. Each is called first in a function; if it returns false, EG(exception)
// is set and the function must return. Inlined like the engine's macros, because some callers take only nanoseconds.
//
// Ownership: none; the arguments belong to the call.
// Thread safety: the engine's thread only.
#pragma once

#include "exceptions.hpp"
#include "support/zend.hpp"

namespace trueasync::php {

// An optional object of that class; null if it is null or missing.
[[gnu::always_inline]] inline bool parse_optional_object(zend_execute_data* execute_data, zend_class_entry* entry,
                                                         zval*& object) {
  object = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(object, entry)
  ZEND_PARSE_PARAMETERS_END_EX(return false);
  return true;
}

// The optional reason of a cancel() method; null if it is missing.
inline bool parse_reason(zend_execute_data* execute_data, zend_object*& reason) {
  zval* argument;
  if (!parse_optional_object(execute_data, exceptions.async_cancellation, argument)) return false;
  reason = argument ? Z_OBJ_P(argument) : nullptr;
  return true;
}

inline bool parse_closure(zend_execute_data* execute_data, zval*& closure) {
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJECT_OF_CLASS(closure, zend_ce_closure)
  ZEND_PARSE_PARAMETERS_END_EX(return false);
  return true;
}

inline bool parse_callable(zend_execute_data* execute_data, zend_fcall_info& call, zend_fcall_info_cache& cache) {
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_FUNC(call, cache)
  ZEND_PARSE_PARAMETERS_END_EX(return false);
  return true;
}

// A callable followed by its arguments.
[[gnu::always_inline]] inline bool parse_task(zend_execute_data* execute_data, zend_fcall_info& call,
                                              zend_fcall_info_cache& cache) {
  ZEND_PARSE_PARAMETERS_START(1, -1)
  Z_PARAM_FUNC(call, cache)
  Z_PARAM_VARIADIC_WITH_NAMED(call.params, call.param_count, call.named_params)
  ZEND_PARSE_PARAMETERS_END_EX(return false);
  return true;
}

}  // namespace trueasync::php
