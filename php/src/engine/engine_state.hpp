// EngineState: the globals of the Zend engine that each coroutine needs separately. Saved when the coroutine is
// suspended, loaded when it is resumed.
//
// Ownership: none. vm_stack.hpp creates and frees the VM stacks; the engine owns that of the main coroutine.
// Thread safety: the engine's thread only.
#pragma once

#include "engine/extra_state.hpp"

namespace trueasync::php::engine {

struct EngineState {
  zend_vm_stack vm_stack = nullptr;
  zval* vm_stack_top = nullptr;
  zval* vm_stack_end = nullptr;
  size_t vm_stack_page_size = 0;
  zend_execute_data* current_execute_data = nullptr;
  zend_object* exception = nullptr;
  zend_object* prev_exception = nullptr;
  const zend_op* opline_before_exception = nullptr;
  JMP_BUF* bailout = nullptr;
  zend_fiber* active_fiber = nullptr;
  zend_fiber_context* current_fiber_context = nullptr;
  zend_class_entry* exception_class = nullptr;
#ifdef ZEND_CHECK_STACK_LIMIT
  void* stack_base = nullptr;
  void* stack_limit = nullptr;
#endif
  zend_error_handling_t error_handling = EH_NORMAL;
  int error_reporting = 0;
  uint32_t jit_trace_num = 0;
  uint32_t fiber_blocks = 0;
  ExtraEngineState* extra = nullptr;  // null if has_extra_state() was false; freed by load()

  void save() noexcept;
  void load() noexcept;
};

inline void EngineState::save() noexcept {
  vm_stack = EG(vm_stack);
  vm_stack_top = EG(vm_stack_top);
  vm_stack_end = EG(vm_stack_end);
  vm_stack_page_size = EG(vm_stack_page_size);
  current_execute_data = EG(current_execute_data);
  exception = EG(exception);
  prev_exception = EG(prev_exception);
  opline_before_exception = EG(opline_before_exception);
  bailout = EG(bailout);
  active_fiber = EG(active_fiber);
  current_fiber_context = EG(current_fiber_context);
  exception_class = EG(exception_class);
  error_handling = EG(error_handling);
  error_reporting = EG(error_reporting);
  jit_trace_num = EG(jit_trace_num);
#ifdef ZEND_CHECK_STACK_LIMIT
  stack_base = EG(stack_base);
  stack_limit = EG(stack_limit);
#endif
  if (__builtin_expect(has_extra_state(), 0)) extra = save_extra_state();
  // A block on fiber switches concerns this coroutine only.
  fiber_blocks = 0;
  while (__builtin_expect(zend_fiber_switch_blocked(), 0)) {
    zend_fiber_switch_unblock();
    ++fiber_blocks;
  }
}

inline void EngineState::load() noexcept {
  EG(vm_stack) = vm_stack;
  EG(vm_stack_top) = vm_stack_top;
  EG(vm_stack_end) = vm_stack_end;
  EG(vm_stack_page_size) = vm_stack_page_size;
  EG(current_execute_data) = current_execute_data;
  EG(exception) = exception;
  EG(prev_exception) = prev_exception;
  EG(opline_before_exception) = opline_before_exception;
  EG(bailout) = bailout;
  EG(active_fiber) = active_fiber;
  EG(current_fiber_context) = current_fiber_context;
  EG(exception_class) = exception_class;
  EG(error_handling) = error_handling;
  EG(error_reporting) = error_reporting;
  EG(jit_trace_num) = jit_trace_num;
#ifdef ZEND_CHECK_STACK_LIMIT
  EG(stack_base) = stack_base;
  EG(stack_limit) = stack_limit;
#endif
  if (__builtin_expect(extra != nullptr, 0)) {
    restore_extra_state(extra);
    extra = nullptr;
  }
  for (; __builtin_expect(fiber_blocks != 0, 0); --fiber_blocks) zend_fiber_switch_block();
}

}  // namespace trueasync::php::engine
