#include "engine/switch.hpp"

#include "engine/vm_stack.hpp"

namespace trueasync::php::engine {

namespace {

// What a coroutine begins with; the engine's fibers begin the same way.
void begin(CoroutineObject& self) noexcept {
  begin_vm_stack();
  EG(exception) = nullptr;
  EG(prev_exception) = nullptr;
  EG(opline_before_exception) = nullptr;
  EG(bailout) = nullptr;
  EG(active_fiber) = nullptr;
  EG(exception_class) = nullptr;
  EG(error_handling) = EH_NORMAL;
  EG(jit_trace_num) = 0;
  zend_long reporting = INI_INT("error_reporting");
  if (!reporting && !INI_STR("error_reporting")) reporting = E_ALL;
  EG(error_reporting) = static_cast<int>(reporting);
  self.fiber_context.status = ZEND_FIBER_STATUS_RUNNING;
  EG(current_fiber_context) = &self.fiber_context;
}

void leave(detail::ControlBlock& block, bool finishing) noexcept {
  auto* self = static_cast<CoroutineObject*>(block.host);
  if (!self) return;
  if (!finishing) return self->state.save();
  end_vm_stack();
  EG(current_fiber_context) = EG(main_fiber_context);
  block.host = nullptr;
  self->state.vm_stack = nullptr;
  OBJ_RELEASE(object_of(*self));
}

void enter(detail::ControlBlock& block) noexcept {
  auto* self = static_cast<CoroutineObject*>(block.host);
  if (!self) return;
  if (self->state.vm_stack) return self->state.load();
  begin(*self);
}

}  // namespace

constexpr detail::HostHooks kSwitchHooks{
    &leave, &enter, [](detail::ControlBlock& from, detail::ControlBlock& to) noexcept { ExchangeState()(from, to); },
    [](detail::ControlBlock& block) noexcept {
      if (auto* self = static_cast<CoroutineObject*>(block.host)) self->before_cancel();
    }};

}  // namespace trueasync::php::engine
