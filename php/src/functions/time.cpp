// Async\delay() and timeout().
#include "engine/runtime.hpp"
#include "support/duration.hpp"
#include "support/wait.hpp"
#include "timeout.hpp"

using namespace trueasync::php;

ZEND_FUNCTION(Async_delay) {
  zend_long duration;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_LONG(duration)
  ZEND_PARSE_PARAMETERS_END();
  if (duration < 0) {
    zend_argument_value_error(1, "must be greater than or equal to 0");
    return;
  }
  if (!engine::ensure_started()) return;
  if (duration == 0) {
    yield_now(executing_location());
  } else {
    sleep_for(to_duration(duration), executing_location());
  }
}

ZEND_FUNCTION(Async_timeout) {
  zend_long duration;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_LONG(duration)
  ZEND_PARSE_PARAMETERS_END();
  if (duration <= 0) {
    zend_value_error("Timeout value must be greater than 0");
    return;
  }
  if (!engine::ensure_started()) return;
  if (zend_object* created = make_timeout(duration)) RETURN_OBJ(created);
}
