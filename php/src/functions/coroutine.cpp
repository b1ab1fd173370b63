// Async\spawn(), suspend(), protect(), current_coroutine(), get_coroutines() and graceful_shutdown().
#include "coroutine.hpp"
#include "engine/runtime.hpp"
#include "engine/switch.hpp"
#include "exceptions.hpp"
#include "scheduler/fast_path.hpp"
#include "support/arguments.hpp"
#include "support/error.hpp"
#include "support/stored_call.hpp"
#include "support/wait.hpp"

using namespace trueasync;
using namespace trueasync::php;

ZEND_FUNCTION(Async_spawn) {
  zend_fcall_info call;
  zend_fcall_info_cache cache;
  if (!parse_task(execute_data, call, cache)) return;
  if (CoroutineObject* created = spawn_coroutine({}, call, cache)) RETURN_OBJ(object_of(*created));
}

// yield_fast() inlines the context switch: the processor mispredicts every return between the switch and this function.
ZEND_FUNCTION(Async_suspend) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  WakeReason reason;
  try {
    reason = engine::scheduler->yield_fast(executing_location(), engine::SwitchEngineState());
  } catch (...) {
    return throw_exception(std::current_exception());
  }
  if (__builtin_expect(reason != WakeReason::none || engine::is_bailing, 0)) throw_wait_error(reason, nullptr);
}

ZEND_FUNCTION(Async_protect) {
  zval* closure;
  if (!parse_closure(execute_data, closure)) return;
  if (!engine::ensure_started()) return;
  CoroutineObject* self = engine::current();
  if (!self) return throw_exception(exceptions.async, "Cannot call Async\\protect() outside of a coroutine");
  detail::ControlBlock& block = self->block();
  ++block.protect_depth;
  const bool succeeded = call(closure, {}, return_value);
  --block.protect_depth;
  if (!succeeded || !(block.flags & detail::kCancelRequested) || !block.scheduler->can_deliver_cancellation(block))
    return;
  zval_ptr_dtor(return_value);
  ZVAL_UNDEF(return_value);
  throw_exception(self->deliver_cancellation());
}

ZEND_FUNCTION(Async_current_coroutine) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  CoroutineObject* self = engine::current();
  if (!self) return throw_exception(exceptions.async, "The current coroutine is not defined");
  RETURN_OBJ_COPY(object_of(*self));
}

ZEND_FUNCTION(Async_get_coroutines) {
  ZEND_PARSE_PARAMETERS_NONE();
  array_init(return_value);
  if (!engine::scheduler) return;
  for (detail::ControlBlock* block : engine::scheduler->live_coroutines()) {
    auto* object = static_cast<CoroutineObject*>(block->host);
    if (!object) continue;
    GC_ADDREF(object_of(*object));
    add_next_index_object(return_value, object_of(*object));
  }
}

ZEND_FUNCTION(Async_graceful_shutdown) {
  zend_object* error;
  if (!parse_reason(execute_data, error)) return;
  if (!engine::ensure_started()) return;
  if (error) {
    for (detail::ControlBlock* block : engine::scheduler->live_coroutines()) {
      if (auto* object = static_cast<CoroutineObject*>(block->host)) object->cancel(error);
    }
  }
  engine::scheduler->shut_down(nullptr);
}
