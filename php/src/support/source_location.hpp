// The file and line of the running PHP code. The file name stays valid until the end of the request; the engine frees
// the file name of an eval() together with its code.
#pragma once

#include <cstdint>

#include "support/zend.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::php {

// A cache of file names that were kept, indexed by address.
inline constexpr std::size_t kFileNameCacheSize = 64;
inline TRUEASYNC_PHP_LOCAL const zend_string* file_name_cache[kFileNameCacheSize] = {};

// Holds a reference to the name until drop_file_names() and returns its text.
const char* keep_file_name(zend_string* name) noexcept;
// At the end of the request, after the runtime was destroyed.
void drop_file_names() noexcept;

inline const char* stable_file_name(zend_string* name) noexcept {
  const std::size_t slot = (reinterpret_cast<std::uintptr_t>(name) >> 5) % kFileNameCacheSize;
  return __builtin_expect(file_name_cache[slot] == name, 1) ? ZSTR_VAL(name) : keep_file_name(name);
}

inline SourceLocation executing_location() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  while (frame && (!frame->func || !ZEND_USER_CODE(frame->func->type))) frame = frame->prev_execute_data;
  if (!frame) return SourceLocation();
  return SourceLocation(stable_file_name(frame->func->op_array.filename), frame->opline->lineno);
}

// Sets return_value to [file or null, line].
void return_file_and_line(zval* return_value, SourceLocation location);
// Sets return_value to "file:line" or "unknown".
void return_location(zval* return_value, SourceLocation location);

}  // namespace trueasync::php
