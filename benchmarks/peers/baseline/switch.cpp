#include "switch.hpp"

asm(R"(
.text
.p2align 6
.globl baseline_called_switch
.type baseline_called_switch, @function
baseline_called_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq (%rsi), %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmpq *%rcx
.size baseline_called_switch, .-baseline_called_switch
)");
