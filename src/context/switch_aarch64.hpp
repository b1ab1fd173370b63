// The aarch64 switch, like the x86-64 switch. The context stores sp, the frame pointer x29 and the resume address;
// every other register is clobbered. That includes x18, which is a general register on Linux; platforms that reserve
// x18 are not supported. The control register fpcr is not switched.
#pragma once

#if defined(__ARM_FEATURE_SVE)
#define TRUEASYNC_SVE_CLOBBERS \
  , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15", "ffr"
#else
#define TRUEASYNC_SVE_CLOBBERS
#endif

#if defined(__clang__)
#define TRUEASYNC_SAVE_BASE "str x19, [%[from], #24]\n\t"
#define TRUEASYNC_LOAD_BASE "ldr x19, [%[to], #24]\n\t"
#define TRUEASYNC_BASE_CLOBBER
#else
#define TRUEASYNC_SAVE_BASE
#define TRUEASYNC_LOAD_BASE
#define TRUEASYNC_BASE_CLOBBER , "x19"
#endif

namespace trueasync::detail {

[[gnu::always_inline]] inline void raw_switch(Context& from, Context& to) {
  static_assert(offsetof(Context, sp) == 0 && offsetof(Context, fp) == 8 && offsetof(Context, pc) == 16);
  register void* from_register asm("x0") = &from;
  register void* to_register asm("x1") = &to;
  asm volatile(
      "adr x9, 1f\n\t"
      "mov x10, sp\n\t"
      "stp x10, x29, [%[from]]\n\t"
      "str x9, [%[from], #16]\n\t" TRUEASYNC_SAVE_BASE  // empty with g++
          TRUEASYNC_LOAD_BASE
      "ldp x10, x29, [%[to]]\n\t"
      "ldr x9, [%[to], #16]\n\t"
      "mov sp, x10\n\t"
      "br x9\n"
      "1:\n\t"
      "hint #36\n\t"  // "bti j": a valid branch target where BTI is enforced, else a no-op
      : [from] "+r"(from_register), [to] "+r"(to_register)
      :
      : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18",
        "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "memory", "cc", "v0", "v1", "v2", "v3",
        "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20",
        "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30",
        "v31" TRUEASYNC_BASE_CLOBBER TRUEASYNC_SVE_CLOBBERS);
}

}  // namespace trueasync::detail

#undef TRUEASYNC_SVE_CLOBBERS
#undef TRUEASYNC_SAVE_BASE
#undef TRUEASYNC_LOAD_BASE
#undef TRUEASYNC_BASE_CLOBBER
