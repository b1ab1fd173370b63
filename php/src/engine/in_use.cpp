#include "engine/in_use.hpp"

#include "engine/blocking_calls.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "support/error.hpp"

namespace trueasync::php::engine {

static bool has_frame(const CoroutineObject& coroutine, IsMeant is_meant, const void* thing) noexcept {
  for (const auto* frame = coroutine.state.current_execute_data; frame; frame = frame->prev_execute_data) {
    const bool is_internal = frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION;
    if (is_internal && frame->func->internal_function.module && is_meant(*frame, thing)) return true;
  }
  return false;
}

const CoroutineObject* other_with_frame(IsMeant is_meant, const void* thing) noexcept {
  if (!scheduler) return nullptr;
  for (const detail::ControlBlock* block : scheduler->living()) {
    const auto* coroutine = static_cast<const CoroutineObject*>(block->host);
    if (!coroutine || block == scheduler->running() || block->phase != detail::Phase::suspended) continue;
    if (has_frame(*coroutine, is_meant, thing)) return coroutine;
  }
  return nullptr;
}

// "fgets(), app.php:12"
static std::string whereabouts(const CoroutineObject& other) {
  const std::string place = detail::place_text(other.block().suspend_place);
  std::string text = waiting_function(other);
  if (text.empty()) return place;
  text.replace(text.rfind(": "), 2, place.empty() ? "" : ", ");
  return text + place;
}

void refuse(const CoroutineObject& other, const char* does_what, const char* advice) noexcept {
  zend_string* function = get_function_or_method_name(EG(current_execute_data)->func);
  guarded([&] {
    raise(exceptions.async, std::string(ZSTR_VAL(function)) + "(): coroutine " + detail::label(other.block()) + " " +
                                does_what + " (" + whereabouts(other) + "); " + advice);
  });
  zend_string_release(function);
}

}  // namespace trueasync::php::engine
