#include "engine/entry.hpp"

#include "coroutine.hpp"
#include "engine/finally.hpp"
#include "engine/runtime.hpp"
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
  zval_ptr_dtor(&callable);
}

// The only frame a fatal error can jump to; nothing in it may need a destructor.
[[gnu::noinline]] bool call_guarded(CoroutineObject& self, zval* result) noexcept {
  volatile bool is_well = true;
  zend_first_try {
    zend_fcall_info call = self.call;
    call.retval = result;
    zend_call_function(&call, &self.call_cache);
    release_call(self);  // destructors that it runs may wait: it is still a coroutine
    end_output();
  }
  zend_catch { is_well = false; }
  zend_end_try();
  return is_well;
}

[[gnu::noinline]] bool drop_guarded(zval* value) noexcept {
  if (!Z_REFCOUNTED_P(value)) return true;
  volatile bool is_well = true;
  zend_first_try { zval_ptr_dtor(value); }
  zend_catch { is_well = false; }
  zend_end_try();
  return is_well;
}

// 8.2 tells of it as it tells of exit(): nothing may run that needs memory.
bool has_run_out_of_memory() noexcept {
#ifdef ZEND_HAS_OOM
  return ZEND_HAS_OOM();
#else
  return false;
#endif
}

Outcome conclude(CoroutineObject& self, std::exception_ptr& error) noexcept {
  zend_object* exception = take_exception();
  if (!exception) return Outcome::value;
  if (zend_is_unwind_exit(exception)) {
    OBJ_RELEASE(exception);
    if (has_run_out_of_memory()) leave_after_bailout();
    request_exit();
    return Outcome::value;
  }
  self.exception = exception;
  const bool is_asked = self.block().flags & detail::kCancelRequested;
  if (is_cancellation(exception) && (is_asked || !instanceof_function(exception->ce, exceptions.operation_canceled))) {
    return Outcome::cancelled;
  }
  GC_ADDREF(exception);
  error = to_cpp(exception);
  return Outcome::error;
}

Outcome run(void* storage, std::exception_ptr& error) noexcept {
  CoroutineObject& self = **static_cast<CoroutineObject**>(storage);
  zval result;
  ZVAL_UNDEF(&result);
  if (!call_guarded(self, &result)) leave_after_bailout();
  // Nobody has the handle, so nobody can ask for the result: its destructors still run in the coroutine.
  if (GC_REFCOUNT(object_of(self)) == 1 && self.finally_handlers.empty()) {
    if (!drop_guarded(&result)) leave_after_bailout();
  } else {
    self.result = Value::adopt(&result);
  }
  const Outcome outcome = conclude(self, error);
  spawn_finally(self);
  return outcome;
}

// It was cancelled before it began.
void drop(void* storage) noexcept {
  CoroutineObject& self = **static_cast<CoroutineObject**>(storage);
  release_call(self);
  self.exception = self.deliver_cancellation();
  spawn_finally(self);
  self.block().host = nullptr;
  OBJ_RELEASE(object_of(self));
}

}  // namespace

constexpr detail::EntryOps kCoroutineEntry{&run, &drop, nullptr, sizeof(CoroutineObject*), alignof(CoroutineObject*)};

}  // namespace trueasync::php::engine
