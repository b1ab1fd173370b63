// The two smallest switches we know how to write for x86-64. Both end in an indirect jump: a `ret` into another
// stack breaks the return predictor.
//
//   inline_switch  tells the compiler that every register is lost; saves the frame pointer and where to go on. Inlined
//                  into a loop nothing else is saved. It pushes, so the function it is in must not use the red zone
//                  (this directory is built with -mno-red-zone).
//   called_switch  a function that saves the callee-saved registers, as any called switch must.
#pragma once

#include <cstdint>

namespace floor_runtime {

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

extern "C" void floor_called_switch(void** from, void** to);

using Entry = void (*)();

// A stack pointer that inline_switch or called_switch can go to; `entry` starts there and never returns.
inline void* prepare_inline(void* top, Entry entry) {
  auto* slot = static_cast<std::uint64_t*>(top);
  *--slot = 0;  // where a return address would be: keeps the alignment of a called function
  *--slot = 0;  // frame pointer
  *--slot = reinterpret_cast<std::uint64_t>(entry);
  return slot;
}

inline void* prepare_called(void* top, Entry entry) {
  auto* slot = static_cast<std::uint64_t*>(top);
  *--slot = 0;
  *--slot = reinterpret_cast<std::uint64_t>(entry);
  return slot - 6;  // the callee-saved registers; whatever is there is loaded
}

}  // namespace floor_runtime
