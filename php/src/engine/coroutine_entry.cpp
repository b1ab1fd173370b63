#include "engine/coroutine_entry.hpp"

#include "coroutine.hpp"
#include "engine/bailout.hpp"
#include "engine/finally.hpp"
#include "engine/library_coroutine.hpp"
#include "exceptions.hpp"
#include "scheduler/scheduler.hpp"
#include "support/error.hpp"

namespace trueasync::php::engine {

namespace {

using detail::Outcome;

void release_call(CoroutineObject& self) noexcept {
  for (uint32_t i = 0; i < self.call.param_count; ++i) zval_ptr_dtor(&self.call.params[i]);
  if (self.call.params) efree(self.call.params);
  if (self.call.named_params) zend_array_release(self.call.named_params);
  zval callable;
  ZVAL_COPY_VALUE(&callable, &self.call.function_name);
  self.call = {};
  self.call_cache = {};  // releasing the callable may free the function
  zval_ptr_dtor(&callable);
}

// Whether only the runtime holds the object, so no code can read the result. The result is then released while the
// coroutine still runs, because its destructors may suspend.
bool is_unreferenced(CoroutineObject& self) noexcept {
  return GC_REFCOUNT(object_of(self)) == 1 && self.finally_handlers.empty();
}
bool is_result_unwanted(CoroutineObject& self) noexcept {
  if (!self.consumer) return is_unreferenced(self);
  return GC_REFCOUNT(object_of(self)) == 2 && self.finally_handlers.empty() && !self.consumer->wants_result();
}

void call_function(CoroutineObject& self) {
  zval result;
  ZVAL_UNDEF(&result);
  zend_fcall_info call = self.call;
  call.retval = &result;
  zend_call_function(&call, &self.call_cache);
  release_call(self);
  if (is_result_unwanted(self)) {
    zval_ptr_dtor(&result);
    self.context.reset();
  } else {
    self.result = Value::adopt(&result);
  }
  self.release_resources();
  flush_output();
}

void release_cancellation(CoroutineObject& self, zend_object* exception) noexcept {
  const bool completed = run_catching_bailout([&] {
    OBJ_RELEASE(exception);
    if (zend_object* reason = std::exchange(self.cancellation, nullptr)) OBJ_RELEASE(reason);
  });
  if (!completed) resume_main_after_bailout();
}

// PHP 8.2 reports exhausted memory as an exit(). No code that allocates may run then.
bool has_run_out_of_memory() noexcept {
#ifdef ZEND_HAS_OOM
  return ZEND_HAS_OOM();
#else
  return false;
#endif
}

Outcome finish_coroutine(CoroutineObject& self, std::exception_ptr& error) noexcept {
  zend_object* exception = take_exception();
  if (!exception) return Outcome::value;
  if (zend_is_unwind_exit(exception)) {
    OBJ_RELEASE(exception);
    if (has_run_out_of_memory()) resume_main_after_bailout();
    request_exit();
    return Outcome::value;
  }
  const bool is_requested = self.block().flags & detail::kCancelRequested;
  if (is_cancellation(exception) &&
      (is_requested || !instanceof_function(exception->ce, exceptions.operation_canceled))) {
    if (is_unreferenced(self)) {
      release_cancellation(self, exception);
      return EG(exception) ? finish_coroutine(self, error) : Outcome::cancelled;
    }
    self.exception = exception;
    return Outcome::cancelled;
  }
  self.exception = exception;
  GC_ADDREF(exception);
  error = to_cpp(exception);
  return Outcome::error;
}

Outcome run(void* storage, std::exception_ptr& error) noexcept {
  CoroutineObject& self = **static_cast<CoroutineObject**>(storage);
  if (is_bailing) resume_main_after_bailout();
  if (!run_catching_bailout([&] { call_function(self); })) resume_main_after_bailout();
  const Outcome outcome = finish_coroutine(self, error);
  spawn_finally(self);
  return outcome;
}

// The coroutine was cancelled before it started. This runs inside another coroutine, whose exception must be preserved.
void drop(void* storage) noexcept {
  CoroutineObject& self = **static_cast<CoroutineObject**>(storage);
  respawn_finally(self);
  zend_object* in_flight = std::exchange(EG(exception), nullptr);
  const zend_op* opline = EG(opline_before_exception);
  const bool completed = run_catching_bailout([&] { release_call(self); });
  if (!completed && scheduler) {
    schedule_bailout();
    self.block().host = nullptr;
    return;
  }
  zend_object* thrown = take_thrown();
  EG(exception) = in_flight;
  EG(opline_before_exception) = opline;
  self.exception = self.deliver_cancellation();
  spawn_finally(self);
  if (thrown) self.block().scheduler->report_unhandled(self.block(), to_cpp(thrown));
  self.block().host = nullptr;
  OBJ_RELEASE(object_of(self));
}

}  // namespace

constexpr detail::EntryOps kCoroutineEntry{&run, &drop, nullptr, sizeof(CoroutineObject*), alignof(CoroutineObject*)};

}  // namespace trueasync::php::engine
