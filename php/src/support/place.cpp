#include "support/place.hpp"

namespace trueasync::php {

void return_file_and_line(zval* return_value, Place place) {
  array_init(return_value);
  if (place.file()) {
    add_next_index_string(return_value, place.file());
  } else {
    add_next_index_null(return_value);
  }
  add_next_index_long(return_value, place.line());
}

void return_location(zval* return_value, Place place) {
  if (place.file()) {
    RETVAL_STR(strpprintf(0, "%s:%u", place.file(), static_cast<unsigned>(place.line())));
  } else {
    RETVAL_STRING("unknown");
  }
}

}  // namespace trueasync::php
