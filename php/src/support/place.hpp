// The file and line of the PHP code that is running. File names live as long as the request: the compiler keeps them.
#pragma once

#include "support/zend.hpp"
#include "trueasync/place.hpp"

namespace trueasync::php {

inline Place executing_place() noexcept {
  const zend_execute_data* frame = EG(current_execute_data);
  while (frame && (!frame->func || !ZEND_USER_CODE(frame->func->type))) frame = frame->prev_execute_data;
  if (!frame) return Place();
  return Place(ZSTR_VAL(frame->func->op_array.filename), frame->opline->lineno);
}

// Into a return_value: [file or null, line].
void return_file_and_line(zval* return_value, Place place);
// "file:line", or "unknown".
void return_location(zval* return_value, Place place);

}  // namespace trueasync::php
