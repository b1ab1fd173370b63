// The x86-64 switch. It pushes nothing, so the red zone of the inlining function stays intact. It resumes the other
// context by an indirect jump, which does not disturb the return predictor.
//
// Every register is clobbered except rsp, rbp and clang's base register, which the context stores. The x87 stack is in
// the clobber list because a long double may be live across the switch. The control words (mxcsr, x87 cw) are not
// switched.
#pragma once

#if defined(__AVX512F__)
#define TRUEASYNC_AVX512_CLOBBERS                                                                               \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define TRUEASYNC_AVX512_CLOBBERS
#endif

#if defined(__clang__)
#define TRUEASYNC_SAVE_BASE "movq %%rbx, 24(%[from])\n\t"
#define TRUEASYNC_LOAD_BASE "movq 24(%[to]), %%rbx\n\t"
#define TRUEASYNC_BASE_CLOBBER
#else
#define TRUEASYNC_SAVE_BASE
#define TRUEASYNC_LOAD_BASE
#define TRUEASYNC_BASE_CLOBBER , "rbx"
#endif

namespace trueasync::detail {

[[gnu::always_inline]] inline void raw_switch(Context& from, Context& to) {
  static_assert(offsetof(Context, sp) == 0 && offsetof(Context, fp) == 8 && offsetof(Context, pc) == 16);
  void* from_register = &from;
  void* to_register = &to;
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, 0(%[from])\n\t"
      "movq %%rbp, 8(%[from])\n\t"
      "movq %%rax, 16(%[from])\n\t" TRUEASYNC_SAVE_BASE  // empty with g++
          TRUEASYNC_LOAD_BASE
      "movq 0(%[to]), %%rsp\n\t"
      "movq 8(%[to]), %%rbp\n\t"
      "jmpq *16(%[to])\n"
      "1:\n\t"
#if defined(__CET__) && (__CET__ & 1)
      "endbr64\n\t"
#endif
      : [from] "+D"(from_register), [to] "+S"(to_register)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)",
        "st(7)" TRUEASYNC_BASE_CLOBBER TRUEASYNC_AVX512_CLOBBERS);
}

}  // namespace trueasync::detail

#undef TRUEASYNC_AVX512_CLOBBERS
#undef TRUEASYNC_SAVE_BASE
#undef TRUEASYNC_LOAD_BASE
#undef TRUEASYNC_BASE_CLOBBER
