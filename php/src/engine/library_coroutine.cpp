#include "engine/library_coroutine.hpp"

#include "engine/bailout.hpp"
#include "engine/finally.hpp"
#include "engine/switch.hpp"
#include "support/error.hpp"

namespace trueasync::php::engine {

namespace {

CoroutineObject& make_object(detail::ControlBlock& block) noexcept {
  CoroutineObject& created = Class<CoroutineObject>::make();
  created.handle = detail::Access::coroutine(&block);
  return created;
}

}  // namespace

void run_php_code(void (*body)(void*), void* argument) noexcept {
  detail::ControlBlock& block = *scheduler->running();
  if (!block.host && block.ops && block.is_alive()) {
    block.host = &make_object(block);  // the runtime owns this reference
    kSwitchHooks.on_enter(block);
  }
  if (EG(bailout)) return body(argument);
  if (!run_catching_bailout([&] { body(argument); })) resume_main_after_bailout();
}

void finish_php_code(CoroutineObject& self) noexcept {
  detail::ControlBlock& block = self.block();
  // A wait below may set block.error again.
  std::exception_ptr error = std::exchange(block.error, nullptr);
  const bool completed = run_catching_bailout([&] {
    if (GC_REFCOUNT(object_of(self)) == 1 && self.finally_handlers.empty()) self.context.reset();
    self.release_resources();
    flush_output();
  });
  if (!completed) resume_main_after_bailout();
  spawn_finally(self);
  if (zend_object* thrown = take_thrown()) scheduler->report_unhandled(block, to_cpp(thrown));
  block.error = std::move(error);
}

zend_object* take_thrown() noexcept {
  // A user frame that runs a destructor already points to the exception handler. Undo that, as if nothing was thrown.
  zend_execute_data* frame = EG(exception) ? EG(current_execute_data) : nullptr;
  if (frame && frame->func && ZEND_USER_CODE(frame->func->type) && frame->opline->opcode == ZEND_HANDLE_EXCEPTION) {
    frame->opline = EG(opline_before_exception);
  }
  zend_object* thrown = take_exception();
  if (!thrown || !zend_is_unwind_exit(thrown)) return thrown;
  OBJ_RELEASE(thrown);
  request_exit();
  return nullptr;
}

zend_object* coroutine_object(detail::ControlBlock& block) noexcept {
  if (auto* object = static_cast<CoroutineObject*>(block.host)) {
    GC_ADDREF(object_of(*object));
    return object_of(*object);
  }
  CoroutineObject& created = make_object(block);
  if (block.outcome == detail::Outcome::error) created.exception = to_php(block.error);
  return object_of(created);
}

}  // namespace trueasync::php::engine
