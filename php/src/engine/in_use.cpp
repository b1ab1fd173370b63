#include "engine/in_use.hpp"

#include "engine/blocking_calls.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "scheduler/report.hpp"
#include "scheduler/scheduler.hpp"
#include "support/error.hpp"

namespace trueasync::php::engine {

static bool has_frame(const CoroutineObject& coroutine, FramePredicate is_meant, const void* thing) noexcept {
  for (const auto* frame = coroutine.state.current_execute_data; frame; frame = frame->prev_execute_data) {
    const bool is_internal = frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION;
    if (is_internal && frame->func->internal_function.module && is_meant(*frame, thing)) return true;
  }
  return false;
}

const CoroutineObject* find_other_user(FramePredicate is_meant, const void* thing) noexcept {
  if (!scheduler) return nullptr;
  for (const detail::ControlBlock* block : scheduler->live_coroutines()) {
    const auto* coroutine = static_cast<const CoroutineObject*>(block->host);
    if (!coroutine || block == scheduler->running() || block->phase != detail::Phase::suspended) continue;
    if (has_frame(*coroutine, is_meant, thing)) return coroutine;
  }
  return nullptr;
}

// "fgets(), app.php:12"
static std::string describe_location(const CoroutineObject& other) {
  const std::string location = detail::format_location(other.block().suspend_location);
  std::string text = describe_waiting_function(other);
  if (text.empty()) return location;
  text.replace(text.rfind(": "), 2, location.empty() ? "" : ", ");
  return text + location;
}

void throw_in_use(const CoroutineObject& other, const char* does_what, const char* advice) noexcept {
  zend_string* function = get_function_or_method_name(EG(current_execute_data)->func);
  catch_to_php([&] {
    throw_exception(exceptions.async, std::string(ZSTR_VAL(function)) + "(): coroutine " +
                                          detail::coroutine_label(other.block()) + " " + does_what + " (" +
                                          describe_location(other) + "); " + advice);
  });
  zend_string_release(function);
}

}  // namespace trueasync::php::engine
