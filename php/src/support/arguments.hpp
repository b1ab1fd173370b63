// Heads of argument lists that several functions have. Each call is the function's first: false means that EG(exception)
// is set, return at once then. In line, as the engine's macros are: some of these functions last nanoseconds.
//
// Owns: nothing; what is found belongs to the call. Threads: the engine's.
#pragma once

#include "exceptions.hpp"
#include "support/zend.hpp"

namespace trueasync::php {

// An object of that class, or null, or nothing at all.
[[gnu::always_inline]] inline bool parse_optional_object(zend_execute_data* execute_data, zend_class_entry* entry,
                                                         zval*& object) {
  object = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(object, entry)
  ZEND_PARSE_PARAMETERS_END_EX(return false);
  return true;
}

// Of the methods that cancel: null where none is given.
inline bool parse_reason(zend_execute_data* execute_data, zend_object*& reason) {
  zval* given;
  if (!parse_optional_object(execute_data, exceptions.async_cancellation, given)) return false;
  reason = given ? Z_OBJ_P(given) : nullptr;
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

// A callable, and what it is to be called with.
[[gnu::always_inline]] inline bool parse_task(zend_execute_data* execute_data, zend_fcall_info& call,
                                              zend_fcall_info_cache& cache) {
  ZEND_PARSE_PARAMETERS_START(1, -1)
  Z_PARAM_FUNC(call, cache)
  Z_PARAM_VARIADIC_WITH_NAMED(call.params, call.param_count, call.named_params)
  ZEND_PARSE_PARAMETERS_END_EX(return false);
  return true;
}

}  // namespace trueasync::php
