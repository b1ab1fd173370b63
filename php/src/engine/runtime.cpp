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
TRUEASYNC_PHP_LOCAL bool is_over = false;

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

bool start() {
  if (is_over) {
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
  return self ? self->deliver_cancellation() : make_exception(exceptions.async_cancellation, "cancelled");
}

void leave_after_bailout() noexcept { std::abort(); }

void drain() noexcept {
  if (!scheduler) return;
  guarded([] {
    scheduler->drain(executing_place());
    if (std::exception_ptr failure = scheduler->take_failure()) raise(failure);
  });
}

void stop() noexcept {
  if (!scheduler) return;
  scheduler->set_host(nullptr);
  auto* main = static_cast<CoroutineObject*>(std::exchange(scheduler->main()->host, nullptr));
  scheduler = nullptr;
  guarded([] { runtime->detach(); });
  OBJ_RELEASE(object_of(*main));
  runtime.reset();
  drop_spare_vm_stack(true);
}

}  // namespace trueasync::php::engine
