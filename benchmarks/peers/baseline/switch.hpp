// Two minimal context switches for x86-64. Both end in an indirect jump, because a `ret` to another stack is mispredicted.
//
//   inline_switch           declares every register as clobbered; saves the frame pointer and the resume address. In a loop,
//                           the compiler saves nothing else. It pushes, so the enclosing function must not use the red
//                           zone (this directory is compiled with -mno-red-zone).
//   baseline_called_switch  a function that saves the callee-saved registers, as every called switch must.
#pragma once

#include <cstdint>

namespace baseline {

[[gnu::always_inline]] inline void inline_switch(void** from, void** to) {
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rbp\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%[from])\n\t"
      "movq (%[to]), %%rsp\n\t"
      "popq %%rax\n\t"
      "popq %%rbp\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      : [from] "+S"(from), [to] "+D"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc");
}

extern "C" void baseline_called_switch(void** from, void** to);

using Entry = void (*)();

// The initial stack pointer for inline_switch or baseline_called_switch. `entry` must not return.
inline void* prepare_inline(void* top, Entry entry) {
  auto* slot = static_cast<std::uint64_t*>(top);
  *--slot = 0;  // instead of a return address: aligns the stack as for a called function
  *--slot = 0;  // frame pointer
  *--slot = reinterpret_cast<std::uint64_t>(entry);
  return slot;
}

inline void* prepare_called(void* top, Entry entry) {
  auto* slot = static_cast<std::uint64_t*>(top);
  *--slot = 0;
  *--slot = reinterpret_cast<std::uint64_t>(entry);
  return slot - 6;  // space of the callee-saved registers, whose initial values do not matter
}

}  // namespace baseline
