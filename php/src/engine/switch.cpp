#include "engine/switch.hpp"

#include <algorithm>

#include "engine/bailout.hpp"
#include "engine/coroutine_entry.hpp"
#include "engine/exclusive_access.hpp"
#include "engine/library_coroutine.hpp"
#include "engine/vm_stack.hpp"
#include "support/error.hpp"

extern "C" {
#include "zend_extensions.h"
#include "zend_observer.h"
}

namespace trueasync::php::engine {

namespace {

// The configured value: the previous coroutine may have silenced errors with @.
int error_reporting_setting() noexcept {
  zend_ini_entry* entry = EG(error_reporting_ini_entry);
  if (!entry) {
    entry = static_cast<zend_ini_entry*>(zend_hash_str_find_ptr(EG(ini_directives), "error_reporting", 15));
    EG(error_reporting_ini_entry) = entry;
  }
  return entry && entry->value ? atoi(ZSTR_VAL(entry->value)) : E_ALL;
}

// ObserverFrame: a frame for observers, which read the file name also when no PHP code runs.
class ObserverFrame {
 public:
  explicit ObserverFrame(const CoroutineObject& coroutine) noexcept : previous_(EG(current_execute_data)) {
    const zend_function* function = coroutine.call_cache.function_handler;
    const bool is_user = function && ZEND_USER_CODE(function->type);
    code_.type = ZEND_USER_FUNCTION;
    code_.filename = is_user ? function->op_array.filename : ZSTR_KNOWN(ZEND_STR_UNKNOWN);
    code_.opcodes = &opline_;
    opline_.lineno = is_user ? function->op_array.line_start : 0;
    frame_.func = reinterpret_cast<zend_function*>(&code_);
    frame_.opline = &opline_;
    EG(current_execute_data) = &frame_;
  }
  ~ObserverFrame() { EG(current_execute_data) = previous_; }
  ObserverFrame(const ObserverFrame&) = delete;
  ObserverFrame& operator=(const ObserverFrame&) = delete;

 private:
  zend_execute_data* previous_;
  zend_op_array code_{};
  zend_op opline_{};
  zend_execute_data frame_{};
};

#ifdef ZEND_CHECK_STACK_LIMIT
// Below EG(stack_limit) the engine throws instead of calling. The reserve covers what the engine uses between two
// checks; on a small stack it is at most a quarter.
void set_stack_limit(const detail::Stack& stack) noexcept {
  const auto size = static_cast<std::size_t>(stack.top() - stack.limit());
  EG(stack_base) = stack.top();
  EG(stack_limit) = stack.limit() + std::min<std::size_t>(EG(reserved_stack_size), size / 4);
}
#endif

// Sets the state of a new coroutine, as zend_fiber does for a new fiber.
void begin(CoroutineObject& self) noexcept {
  zend_fiber_context* from = EG(current_fiber_context);
  begin_vm_stack();
  begin_output();
  EG(exception) = nullptr;
  EG(prev_exception) = nullptr;
  EG(opline_before_exception) = nullptr;
  EG(bailout) = nullptr;
  EG(active_fiber) = nullptr;
  EG(exception_class) = nullptr;
  EG(error_handling) = EH_NORMAL;
  EG(jit_trace_num) = 0;
  EG(error_reporting) = error_reporting_setting();
#ifdef ZEND_CHECK_STACK_LIMIT
  set_stack_limit(*self.block().stack);
#endif
  if (__builtin_expect(is_observed, 0)) {
    const ObserverFrame frame(self);
    EG(current_fiber_context) = from;
    self.fiber_context.kind = &is_observed;
    zend_observer_fiber_init_notify(&self.fiber_context);
    notify_observers(&self.fiber_context);  // observers expect the status INIT here
  }
  self.fiber_context.status = ZEND_FIBER_STATUS_RUNNING;
  EG(current_fiber_context) = &self.fiber_context;
}

void end(CoroutineObject& self) noexcept {
  ExclusiveUse::clear_owner(self);
  reset_output();
  clear_last_error();
  end_vm_stack();
  if (__builtin_expect(is_observed, 0)) {
    const ObserverFrame frame(self);
    self.fiber_context.status = ZEND_FIBER_STATUS_DEAD;
    notify_observers(EG(main_fiber_context));
    zend_observer_fiber_destroy_notify(&self.fiber_context);
  }
  EG(current_fiber_context) = EG(main_fiber_context);
  self.state.vm_stack = nullptr;
}

// Releases the runtime's reference. The coroutine has given up its VM stack, so destructors must not suspend.
void release_reference(detail::ControlBlock& block, CoroutineObject& self) noexcept {
  const bool runs_destructors = self.context || self.result || self.exception || self.cancellation;
  if (__builtin_expect(!runs_destructors, 1)) return OBJ_RELEASE(object_of(self));
  const detail::Scheduler::NoSuspend guard(*scheduler, "a destructor of a finished coroutine's data");
  if (!run_catching_bailout([&] { OBJ_RELEASE(object_of(self)); })) resume_main_after_bailout();
  if (zend_object* thrown = take_thrown()) scheduler->report_unhandled(block, to_cpp(thrown));
}

void leave(detail::ControlBlock& block, bool finishing) noexcept {
  auto* self = static_cast<CoroutineObject*>(block.host);
  if (!self) return;
  if (!finishing) return self->state.save();
  if (block.ops != &kCoroutineEntry) finish_php_code(*self);
  end(*self);
  block.host = nullptr;
  release_reference(block, *self);
}

void enter(detail::ControlBlock& block) noexcept {
  auto* self = static_cast<CoroutineObject*>(block.host);
  if (!self) return;
  if (!self->state.vm_stack) return begin(*self);
  if (__builtin_expect(is_observed, 0)) notify_observers(self->state.current_fiber_context);
  self->state.load();
}

}  // namespace

void find_observers() noexcept {
  is_observed = ZEND_OBSERVER_ENABLED;
  for (zend_llist_element* element = zend_extensions.head; element; element = element->next) {
    const auto* extension = reinterpret_cast<const zend_extension*>(element->data);
    if (std::strcmp(extension->name, "Zend OPcache") != 0) is_observed = true;
  }
}

void notify_observers(zend_fiber_context* to) noexcept {
  zend_observer_fiber_switch_notify(EG(current_fiber_context), to);
}

constexpr detail::HostHooks kSwitchHooks{
    &leave, &enter,
    [](detail::ControlBlock& from, detail::ControlBlock& to) noexcept { SwitchEngineState()(from, to); },
    [](detail::ControlBlock& block) noexcept {
      if (auto* self = static_cast<CoroutineObject*>(block.host)) self->before_cancel();
    }};

}  // namespace trueasync::php::engine
