#include "engine/stack_overflow.hpp"

#include "context/stack_overflow.hpp"
#include "support/zend.hpp"

namespace trueasync::php::engine {

namespace {

// Called in a signal handler: only reads the engine's memory.
bool find_location(const char*& file, unsigned& line) {
  const zend_execute_data* frame = EG(current_execute_data);
  while (frame && (!frame->func || !ZEND_USER_CODE(frame->func->type))) frame = frame->prev_execute_data;
  if (!frame || !frame->opline) return false;
  file = ZSTR_VAL(frame->func->op_array.filename);
  line = frame->opline->lineno;
  return true;
}

constexpr detail::OverflowReporter kReporter{
    &find_location,
    "internal functions with callbacks and chains of destructors nest on the native "
    "stack: raise async.stack_size in php.ini (for fibers, fiber.stack_size)"};

}  // namespace

void install_overflow_reporter() noexcept { detail::set_overflow_reporter(kReporter); }

}  // namespace trueasync::php::engine
