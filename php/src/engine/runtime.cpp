#include "engine/runtime.hpp"

#include <memory>

#include "coroutine.hpp"
#include "engine/switch.hpp"
#include "engine/vm_stack.hpp"
#include "exceptions.hpp"
#include "support/error.hpp"
#include "support/place.hpp"
#include "trueasync/runtime.hpp"

namespace trueasync::php::engine {

namespace {

TRUEASYNC_PHP_LOCAL std::unique_ptr<Runtime> runtime;
TRUEASYNC_PHP_LOCAL bool is_exiting = false;

void (*interrupt_next)(zend_execute_data* execute_data) = nullptr;

void on_interrupt(zend_execute_data* execute_data) {
  if (bailed_out && scheduler && scheduler->running() == scheduler->main()) zend_bailout();
  if (interrupt_next) interrupt_next(execute_data);
}

RuntimeOptions runtime_options() {
  RuntimeOptions options;
  options.stack_size = static_cast<std::size_t>(INI_INT("async.stack_size"));
  return options;
}

void adopt_main() {
  CoroutineObject& main = Class<CoroutineObject>::make();
  main.handle = Coroutine(scheduler->main());
  scheduler->main()->host = &main;  // its reference is the runtime's
}

}  // namespace

void hook_interrupts() noexcept {
  interrupt_next = zend_interrupt_function;
  zend_interrupt_function = &on_interrupt;
}

bool start() {
  if (bailed_out || runtime) {
    raise(exceptions.async, "The request is over: nothing can be spawned or awaited any more");
    return false;
  }
  guarded([] {
    runtime = std::make_unique<Runtime>(runtime_options());
    runtime->attach(executing_place());
    scheduler = &runtime->scheduler();
    adopt_main();
    scheduler->set_host(&kSwitchHooks);
  });
  return scheduler != nullptr;
}

CoroutineObject* current() noexcept {
  return scheduler ? static_cast<CoroutineObject*>(scheduler->running()->host) : nullptr;
}

zend_object* own_cancellation() noexcept {
  CoroutineObject* self = current();
  if (!self) return make_exception(exceptions.async_cancellation, "The runtime was cancelled");
  if (is_exiting && scheduler->running() == scheduler->main()) return zend_create_unwind_exit();
  return self->deliver_cancellation();
}

void leave_after_bailout() noexcept {
  bailed_out = true;
  // Wherever main goes on, it goes no further than to its next instruction.
  zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
  if (scheduler->running() == scheduler->main()) zend_bailout();
  scheduler->leave_to_main();
}

void request_exit() noexcept {
  is_exiting = true;
  scheduler->shut_down(nullptr);
}

void end_main(zend_object* exception) {
  if (!scheduler) {
    if (exception) raise(exception);
    return;
  }
  if (exception && zend_is_unwind_exit(exception)) {
    OBJ_RELEASE(exception);
    request_exit();
  } else if (exception) {
    // That main was asked to end is no failure of its own.
    const bool is_asked = is_cancellation(exception) && (scheduler->main()->flags & detail::kCancelRequested);
    std::exception_ptr error = to_cpp(exception);
    scheduler->shut_down(is_asked ? nullptr : error);
  }
  drain();
}

void drain() {
  if (!scheduler) return;
  guarded([] { scheduler->drain(executing_place()); });
  if (bailed_out) zend_bailout();
  std::exception_ptr failure = scheduler->take_failure();
  const bool exits = std::exchange(is_exiting, false);
  scheduler->begin_again();
  if (CoroutineObject* main = current()) main->forget_cancellation();
  if (exits) {
    EG(exception) = zend_create_unwind_exit();
  } else if (failure) {
    raise(failure);
  }
}

void stop() noexcept {
  if (!scheduler) return;
  if (bailed_out || CG(unclean_shutdown)) scheduler->abandon_others();
  scheduler->set_host(nullptr);
  auto* main = static_cast<CoroutineObject*>(std::exchange(scheduler->main()->host, nullptr));
  scheduler = nullptr;
  guarded([] { runtime->detach(); });
  OBJ_RELEASE(object_of(*main));
}

void let_go() noexcept {
  runtime.reset();
  drop_spare_vm_stack(true);
  bailed_out = is_exiting = false;
}

}  // namespace trueasync::php::engine
