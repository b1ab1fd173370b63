#include "engine/runtime.hpp"

#include <memory>

#include "coroutine.hpp"
#include "engine/autoload.hpp"
#include "engine/blocking_calls.hpp"
#include "engine/exclusive_access.hpp"
#include "engine/function_guards.hpp"
#include "engine/pcntl_signals.hpp"
#include "engine/request_shutdown.hpp"
#include "engine/stream_access.hpp"
#include "engine/switch.hpp"
#include "engine/vm_stack.hpp"
#include "exceptions.hpp"
#include "support/error.hpp"
#include "support/library_call.hpp"
#include "support/source_location.hpp"
#include "trueasync/runtime.hpp"

namespace trueasync::php::engine {

namespace {

TRUEASYNC_PHP_LOCAL std::unique_ptr<Runtime> runtime;
TRUEASYNC_PHP_LOCAL bool is_exiting = false;
TRUEASYNC_PHP_LOCAL ExtraEngineState* saved_output_state = nullptr;

void (*interrupt_next)(zend_execute_data* execute_data) = nullptr;

void on_interrupt(zend_execute_data* execute_data) {
  if (is_bailing) bail_out();
  if (interrupt_next) interrupt_next(execute_data);
}

// A php.ini quantity, with an optional suffix K, M or G.
std::size_t read_quantity(const char* name) {
  zend_string* error = nullptr;
  zend_string* text = zend_ini_get_value(zend_string_init_interned(name, std::strlen(name), false));
  const zend_long value = text ? zend_ini_parse_quantity(text, &error) : 0;
  if (error) zend_string_release(error);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

RuntimeOptions runtime_options() {
  RuntimeOptions options;
  options.stack_size = read_quantity("async.stack_size");
  options.max_stacks = read_quantity("async.max_stacks");
  options.warm_stacks = read_quantity("async.warm_stacks");
  return options;
}

void adopt_main() {
  CoroutineObject& main = Class<CoroutineObject>::make();
  main.handle = detail::Access::coroutine(scheduler->main());
  scheduler->main()->host = &main;  // the runtime owns this reference
}

}  // namespace

void hook_interrupts() noexcept {
  interrupt_next = zend_interrupt_function;
  zend_interrupt_function = &on_interrupt;
}

bool start() {
  if (runtime) {
    throw_exception(exceptions.async, "Cannot spawn or await: the request has ended");
    return false;
  }
  catch_to_php([] {
    runtime = std::make_unique<Runtime>(runtime_options());
    runtime->attach(executing_location());
    scheduler = &detail::Access::scheduler(*runtime);
    adopt_main();
    assign_loads_to_main();
    find_observers();
    find_shared_output();
    scheduler->set_host(&kSwitchHooks);
    watch_pcntl_signals();
    hook_blocking_calls();
    hook_guards();
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

// The interrupt stops any coroutine that is resumed at its next instruction, see on_interrupt().
static void begin_bailing() noexcept {
  is_bailing = true;
  zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
}

void schedule_bailout() noexcept {
  if (scheduler->running() != scheduler->main()) resume_main_after_bailout();
  begin_bailing();
  scheduler->main()->waker().wake(WakeReason::cancelled, *scheduler);
}

void resume_main_after_bailout() noexcept {
  begin_bailing();
  if (scheduler->running() == scheduler->main()) bail_out();
  // The output of the coroutine is flushed, and its fatal error becomes the last error of main.
  zend_try { php_output_end_all(); }
  zend_end_try();
  if (has_extra_state()) saved_output_state = save_extra_state();
  scheduler->abandon_to_main();
}

void finish_bailout() noexcept {
  is_bailing = false;
  scheduler = nullptr;
  reset_exclusive_uses();
  if (!saved_output_state) return;
  clear_last_error();
  PG(last_error_message) = saved_output_state->error_message;
  PG(last_error_file) = saved_output_state->error_file;
  PG(last_error_type) = saved_output_state->error_type;
  PG(last_error_lineno) = saved_output_state->error_line;
  efree(std::exchange(saved_output_state, nullptr));
}

void bail_out() noexcept {
  if (scheduler && scheduler->running() != scheduler->main()) resume_main_after_bailout();
  // Abandoned waiters may refer to main's frames, so this must precede the longjmp().
  if (scheduler) {
    scheduler->abandon_others();
    reset_write_locks();
  }
  finish_bailout();
  zend_bailout();
}

void request_exit() noexcept {
  is_exiting = true;
  scheduler->shut_down(nullptr);
}

void end_main(zend_object* exception) {
  if (!scheduler) {
    if (exception) throw_exception(exception);
    return;
  }
  if (exception && zend_is_unwind_exit(exception)) {
    OBJ_RELEASE(exception);
    request_exit();
  } else if (exception) {
    // A cancellation that was requested is not an error of main.
    const bool is_requested = is_cancellation(exception) && (scheduler->main()->flags & detail::kCancelRequested);
    std::exception_ptr error = to_cpp(exception);
    scheduler->shut_down(is_requested ? nullptr : error);
  }
  drain();
}

void drain() {
  if (!scheduler) return;
  if (CoroutineObject* main = current()) main->release_resources();
  catch_to_php([] { scheduler->drain(executing_location()); });
  if (is_bailing) bail_out();
  std::exception_ptr failure = scheduler->take_failure();
  const bool exits = std::exchange(is_exiting, false);
  scheduler->reset_after_shutdown();
  if (CoroutineObject* main = current()) main->clear_cancellation();
  if (exits) {
    EG(exception) = zend_create_unwind_exit();
  } else if (failure) {
    throw_exception(failure);
  }
}

// Runs coroutines that remain after an exit() in a shutdown function, or that destructors called by the engine spawned.
static void drain_remaining() noexcept {
  zend_try {
    drain();
    show_uncaught();
  }
  zend_catch { scheduler = nullptr; }
  zend_end_try();
  if (!scheduler) detail::Access::scheduler(*runtime).abandon_others();
}

// CG(unclean_shutdown) is also set after an exit() in a shutdown function. Coroutines can still run in that case.
static bool had_fatal_error() noexcept {
  constexpr int kFatal = E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR;
  return CG(unclean_shutdown) && (PG(last_error_type) & kFatal);
}

void stop() noexcept {
  if (!runtime) return;
  detail::Scheduler& ending = detail::Access::scheduler(*runtime);
  if (!scheduler || had_fatal_error()) {
    ending.abandon_others();
  } else {
    if (CG(unclean_shutdown)) request_exit();
    drain_remaining();
  }
  reset_exclusive_uses();
  reset_write_locks();
  unwatch_pcntl_signals();
  ending.set_host(nullptr);
  auto* main = static_cast<CoroutineObject*>(std::exchange(ending.main()->host, nullptr));
  scheduler = nullptr;
  catch_to_php([] { runtime->detach(); });
  reset_loads();
  OBJ_RELEASE(object_of(*main));
}

void destroy_runtime() noexcept {
  runtime.reset();
  drop_file_names();
  drop_spare_vm_stack();
  is_bailing = is_exiting = bailout_pending = false;
  saved_output_state = nullptr;
  cancel_reason = nullptr;
}

}  // namespace trueasync::php::engine
