#include "support/library_call.hpp"

#include "engine/bailout.hpp"
#include "engine/library_coroutine.hpp"
#include "exceptions.hpp"

namespace trueasync::php {

bool is_own_cancellation(const zend_object* exception) noexcept {
  if (!is_cancellation(exception)) return false;
  return (engine::scheduler->running()->flags & detail::kCancelRequested) ||
         !instanceof_function(exception->ce, exceptions.operation_canceled);
}

void resume_bailout() noexcept {
  bailout_pending = false;
  engine::bail_out();
}

namespace {

// SavedException: the exception in flight during a call. A destructor or hook that runs meanwhile may throw its own.
struct SavedException {
  zend_object* exception;
  zend_object* previous;
  const zend_op* opline;

  static SavedException take() noexcept {
    const SavedException saved{EG(exception), EG(prev_exception), EG(opline_before_exception)};
    EG(exception) = EG(prev_exception) = nullptr;
    return saved;
  }
  void restore() const noexcept {
    EG(exception) = exception;
    EG(prev_exception) = previous;
    EG(opline_before_exception) = opline;
  }
};

// Removes the exception of the call. A user frame that runs a destructor already points to the exception handler; undo
// that, as if nothing was thrown.
zend_object* take_thrown(bool& exits) noexcept {
  if (!EG(exception)) return nullptr;
  exits = zend_is_unwind_exit(EG(exception));
  zend_execute_data* frame = EG(current_execute_data);
  const bool is_at_handler =
      frame && frame->func && ZEND_USER_CODE(frame->func->type) && frame->opline->opcode == ZEND_HANDLE_EXCEPTION;
  if (is_at_handler) frame->opline = EG(opline_before_exception);
  return engine::take_thrown();
}

bool is_in_main() noexcept { return engine::scheduler->running() == engine::scheduler->main(); }

template <class F>
Value call_php(F&& run) {
  if (is_engine_dead() || !engine::scheduler) throw Bailout();
  const SavedException saved = SavedException::take();
  zval result;
  ZVAL_UNDEF(&result);
  if (!is_in_main()) {
    engine::run_php_code([&] { run(&result); });
  } else if (!engine::run_catching_bailout([&] { run(&result); })) {
    bailout_pending = true;
    throw Bailout();
  }
  bool exits = false;
  zend_object* thrown = take_thrown(exits);
  saved.restore();
  if (exits) throw detail::Access::cancelled("exit() was called", engine::scheduler->running());
  if (!thrown) return Value::adopt(&result);
  zval_ptr_dtor(&result);
  if (is_own_cancellation(thrown)) throw PhpCancellation(thrown);
  throw PhpException(thrown);
}

}  // namespace

Value call_from_library(StoredCall& call, std::initializer_list<zval> arguments) {
  return call_php([&](zval* result) { call(arguments, result); });
}

Value call_from_library(zend_object* object, const char* method, std::initializer_list<zval> arguments) {
  return call_php([&](zval* result) {
    zend_function* function =
        static_cast<zend_function*>(zend_hash_str_find_ptr(&object->ce->function_table, method, std::strlen(method)));
    zend_call_known_instance_method(function, object, result, static_cast<uint32_t>(arguments.size()),
                                    const_cast<zval*>(arguments.begin()));
  });
}

Value run_from_library(void (*run)(void* argument, zval* result), void* argument) {
  return call_php([&](zval* result) { run(argument, result); });
}

}  // namespace trueasync::php
