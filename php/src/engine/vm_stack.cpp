#include "engine/vm_stack.hpp"

#include <cstring>
#include <utility>

namespace trueasync::php::engine {

namespace {

constexpr std::size_t kFirstPageSize = 1024;
constexpr std::size_t kPageSize = 16 * 1024;

TRUEASYNC_PHP_LOCAL zend_vm_stack spare = nullptr;

// Like the bottom frame of a fiber: traces omit a function without a name.
zend_function make_bottom_function() noexcept {
  zend_function function;
  std::memset(&function, 0, sizeof(function));
  function.type = ZEND_INTERNAL_FUNCTION;
  return function;
}
zend_function bottom_function = make_bottom_function();

}  // namespace

void begin_vm_stack() noexcept {
  zend_vm_stack stack = std::exchange(spare, nullptr);
  if (!stack) stack = zend_vm_stack_new_page(kFirstPageSize, nullptr);
  stack->top = ZEND_VM_STACK_ELEMENTS(stack);
  EG(vm_stack) = stack;
  EG(vm_stack_top) = stack->top + ZEND_CALL_FRAME_SLOT;
  EG(vm_stack_end) = stack->end;
  EG(vm_stack_page_size) = kPageSize;
  auto* bottom = reinterpret_cast<zend_execute_data*>(stack->top);
  std::memset(bottom, 0, sizeof(*bottom));
  bottom->func = &bottom_function;
  EG(current_execute_data) = bottom;
}

void end_vm_stack() noexcept {
  zend_vm_stack stack = EG(vm_stack);
  while (stack->prev) {
    zend_vm_stack page = std::exchange(stack, stack->prev);
    efree(page);
  }
  EG(vm_stack) = stack;
  EG(vm_stack_top) = ZEND_VM_STACK_ELEMENTS(stack) + ZEND_CALL_FRAME_SLOT;
  EG(vm_stack_end) = stack->end;
  EG(current_execute_data) = reinterpret_cast<zend_execute_data*>(ZEND_VM_STACK_ELEMENTS(stack));
  if (spare && spare != stack) efree(spare);
  spare = stack;
}

void drop_vm_stack(zend_vm_stack stack) noexcept {
  while (stack) {
    zend_vm_stack page = std::exchange(stack, stack->prev);
    efree(page);
  }
}

void drop_spare_vm_stack() noexcept {
  if (spare) efree(spare);
  spare = nullptr;
}

}  // namespace trueasync::php::engine
