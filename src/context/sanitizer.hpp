// Notifications of ASan and TSan about contexts and switches. Empty in builds without them.
//
// TSan: a switch orders what happened before it with what comes after it (flag 0, not no_sync), because coroutines of
// one thread never run at the same time. Nothing instrumented may stand between __tsan_switch_to_fiber and the jump
// (XC-06): the functions below are inlined and the jump follows them at once.
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

// The state of the thread's own stack, before the first switch away from it.
void sanitizer_attach_thread(SanitizerState& state) noexcept;
// The state of a new context on [limit, top), done by make_context (twice does no harm); and its end, called from
// another context.
void sanitizer_create(SanitizerState& state, const void* limit, const void* top) noexcept;
void sanitizer_destroy(SanitizerState& state) noexcept;
// The context a flow left for good: ended by the next one that runs, since a context can't end the one it stands on.
inline void sanitizer_destroy_exited([[maybe_unused]] SanitizerState& dead) noexcept {
#if defined(TRUEASYNC_TSAN)
  if (dead.fiber) sanitizer_destroy(dead);
  dead.fiber = nullptr;
#endif
}
// A stack is about to be used by a new context: forget what the last one left poisoned (XC-05). Done by make_context.
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

// First thing on the other side, also at the start of a new context.
[[gnu::always_inline]] inline void sanitizer_after_switch([[maybe_unused]] SanitizerState& self) noexcept {
#if defined(TRUEASYNC_ASAN)
  __sanitizer_finish_switch_fiber(self.fake_stack, nullptr, nullptr);
#endif
}

// One call on another stack (call_on_stack): before it and after it on the caller's side, and between the two on the
// stack of the call. The call gets a fake stack of its own.
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
