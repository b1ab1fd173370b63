// Notifies ASan and TSan of contexts and switches. Empty in builds without sanitizers.
//
// TSan: a switch creates a happens-before edge (flag 0, not no_sync), because coroutines of one thread never run
// concurrently. No instrumented code may run between __tsan_switch_to_fiber and the jump: the functions below are
// inlined and the jump follows directly.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TRUEASYNC_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TRUEASYNC_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TRUEASYNC_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TRUEASYNC_TSAN 1
#endif
#endif

#if defined(TRUEASYNC_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(TRUEASYNC_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

#if defined(TRUEASYNC_ASAN)
#define TRUEASYNC_NO_ASAN __attribute__((no_sanitize("address")))
#else
#define TRUEASYNC_NO_ASAN
#endif
#if defined(TRUEASYNC_TSAN)
#define TRUEASYNC_NO_TSAN __attribute__((no_sanitize("thread")))
#else
#define TRUEASYNC_NO_TSAN
#endif

namespace trueasync::detail {

struct SanitizerState {
#if defined(TRUEASYNC_ASAN)
  void* fake_stack = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_size = 0;
#endif
#if defined(TRUEASYNC_TSAN)
  void* fiber = nullptr;
#endif
};

// Initializes the state of the thread's own stack, before the first switch away from it.
void sanitizer_attach_thread(SanitizerState& state) noexcept;
// Creates the state of a new context on [limit, top); make_context calls it, and a second call is harmless.
// sanitizer_destroy must be called from another context.
void sanitizer_create(SanitizerState& state, const void* limit, const void* top) noexcept;
void sanitizer_destroy(SanitizerState& state) noexcept;
// Destroys the state of a context that has exited. The next context calls it, because a context cannot destroy itself.
inline void sanitizer_destroy_exited([[maybe_unused]] SanitizerState& exited) noexcept {
#if defined(TRUEASYNC_TSAN)
  if (exited.fiber) sanitizer_destroy(exited);
  exited.fiber = nullptr;
#endif
}
// Unpoisons a stack before a new context uses it: the frames of the last context may have left poisoned memory.
// make_context calls it.
void sanitizer_reuse_stack(void* limit, void* top) noexcept;

[[gnu::always_inline]] inline void sanitizer_before_switch([[maybe_unused]] SanitizerState& from,
                                                           [[maybe_unused]] SanitizerState& to) noexcept {
#if defined(TRUEASYNC_ASAN)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_size);
#endif
#if defined(TRUEASYNC_TSAN)
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
}

[[gnu::always_inline]] inline void sanitizer_before_last_switch([[maybe_unused]] SanitizerState& to) noexcept {
#if defined(TRUEASYNC_ASAN)
  __sanitizer_start_switch_fiber(nullptr, to.stack_bottom, to.stack_size);
#endif
#if defined(TRUEASYNC_TSAN)
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
}

// Must be the first call after a switch, also at the start of a new context.
[[gnu::always_inline]] inline void sanitizer_after_switch([[maybe_unused]] SanitizerState& self) noexcept {
#if defined(TRUEASYNC_ASAN)
  __sanitizer_finish_switch_fiber(self.fake_stack, nullptr, nullptr);
#endif
}

// State of one call_on_stack(). before_call and after_call run on the caller's stack, enter_call and leave_call on the
// other stack. The call gets its own fake stack.
struct SanitizerStackCall {
#if defined(TRUEASYNC_ASAN)
  void* fake_stack = nullptr;
  const void* caller_bottom = nullptr;
  std::size_t caller_size = 0;
#endif
};

#if defined(TRUEASYNC_ASAN)
void sanitizer_before_call(SanitizerStackCall& call, const void* top, std::size_t room) noexcept;
TRUEASYNC_NO_ASAN inline void sanitizer_enter_call(SanitizerStackCall& call) noexcept {
  __sanitizer_finish_switch_fiber(nullptr, &call.caller_bottom, &call.caller_size);
}
TRUEASYNC_NO_ASAN inline void sanitizer_leave_call(SanitizerStackCall& call) noexcept {
  __sanitizer_start_switch_fiber(nullptr, call.caller_bottom, call.caller_size);
}
inline void sanitizer_after_call(SanitizerStackCall& call) noexcept {
  __sanitizer_finish_switch_fiber(call.fake_stack, nullptr, nullptr);
}
#else
inline void sanitizer_before_call(SanitizerStackCall&, const void*, std::size_t) noexcept {}
inline void sanitizer_enter_call(SanitizerStackCall&) noexcept {}
inline void sanitizer_leave_call(SanitizerStackCall&) noexcept {}
inline void sanitizer_after_call(SanitizerStackCall&) noexcept {}
#endif

}  // namespace trueasync::detail
