// The file and line of the PHP code that is running, with a file name that lasts until the request is over: the engine
// itself frees that of an eval() with its code.
#pragma once

#include <cstdint>

#include "support/zend.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::php {

// Some of those that are kept, by address.
inline constexpr std::size_t kNearFileNames = 64;
inline TRUEASYNC_PHP_LOCAL const zend_string* near_file_names[kNearFileNames] = {};

// The same name, kept from now on.
const char* keep_file_name(zend_string* name) noexcept;
// The request is over, and so is the runtime.
void drop_file_names() noexcept;

inline const char* lasting_file_name(zend_string* name) noexcept {
  const std::size_t slot = (reinterpret_cast<std::uintptr_t>(name) >> 5) % kNearFileNames;
  return __builtin_expect(near_file_names[slot] == name, 1) ? ZSTR_VAL(name) : keep_file_name(name);
}

inline SourceLocation executing_location() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  while (frame && (!frame->func || !ZEND_USER_CODE(frame->func->type))) frame = frame->prev_execute_data;
  if (!frame) return SourceLocation();
  return SourceLocation(lasting_file_name(frame->func->op_array.filename), frame->opline->lineno);
}

// Into a return_value: [file or null, line].
void return_file_and_line(zval* return_value, SourceLocation location);
// "file:line", or "unknown".
void return_location(zval* return_value, SourceLocation location);

}  // namespace trueasync::php
