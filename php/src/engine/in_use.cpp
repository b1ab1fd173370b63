#include "engine/in_use.hpp"

#include "engine/runtime.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::php::engine {

bool is_given(const zend_execute_data& frame, const void* thing) noexcept {
  if (Z_TYPE(frame.This) == IS_OBJECT && Z_OBJ(frame.This) == thing) return true;
  for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(&frame); ++i) {
    const zval* argument = ZEND_CALL_ARG(&frame, i);
    ZVAL_DEREF(argument);
    if (Z_REFCOUNTED_P(argument) && Z_COUNTED_P(argument) == thing) return true;
  }
  return false;
}

static bool has_frame(const CoroutineObject& coroutine, IsMeant is_meant, const void* thing) noexcept {
  for (const auto* frame = coroutine.state.current_execute_data; frame; frame = frame->prev_execute_data) {
    const bool is_internal = frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION;
    if (is_internal && frame->func->internal_function.module && is_meant(*frame, thing)) return true;
  }
  return false;
}

bool has_other_frame(IsMeant is_meant, const void* thing) noexcept {
  if (!scheduler) return false;
  for (const detail::ControlBlock* block : scheduler->living()) {
    const auto* coroutine = static_cast<const CoroutineObject*>(block->host);
    if (!coroutine || block == scheduler->running() || block->phase != detail::Phase::suspended) continue;
    if (has_frame(*coroutine, is_meant, thing)) return true;
  }
  return false;
}

}  // namespace trueasync::php::engine
