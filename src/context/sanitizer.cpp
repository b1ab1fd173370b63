#include "context/sanitizer.hpp"

#if defined(TRUEASYNC_ASAN)
#include <pthread.h>
#endif

namespace trueasync::detail {

#if defined(TRUEASYNC_ASAN)
namespace {

struct Bounds {
  const char* bottom = nullptr;
  std::size_t size = 0;
};

Bounds read_thread_stack() noexcept {
  Bounds bounds;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return bounds;
  void* bottom = nullptr;
  if (pthread_attr_getstack(&attributes, &bottom, &bounds.size) == 0) bounds.bottom = static_cast<const char*>(bottom);
  pthread_attr_destroy(&attributes);
  return bounds;
}

const Bounds& thread_stack() noexcept {
  thread_local const Bounds bounds = read_thread_stack();
  return bounds;
}

}  // namespace
#endif

void sanitizer_attach_thread([[maybe_unused]] SanitizerState& state) noexcept {
#if defined(TRUEASYNC_ASAN)
  state.stack_bottom = thread_stack().bottom;
  state.stack_size = thread_stack().size;
#endif
#if defined(TRUEASYNC_TSAN)
  state.fiber = __tsan_get_current_fiber();
#endif
}

void sanitizer_create([[maybe_unused]] SanitizerState& state, [[maybe_unused]] const void* limit,
                      [[maybe_unused]] const void* top) noexcept {
#if defined(TRUEASYNC_ASAN)
  state.fake_stack = nullptr;
  state.stack_bottom = limit;
  state.stack_size = static_cast<std::size_t>(static_cast<const char*>(top) - static_cast<const char*>(limit));
#endif
#if defined(TRUEASYNC_TSAN)
  if (state.fiber == nullptr) state.fiber = __tsan_create_fiber(0);
#endif
}

void sanitizer_destroy([[maybe_unused]] SanitizerState& state) noexcept {
#if defined(TRUEASYNC_TSAN)
  if (state.fiber != nullptr) __tsan_destroy_fiber(state.fiber);
  state.fiber = nullptr;
#endif
}

void sanitizer_reuse_stack([[maybe_unused]] void* limit, [[maybe_unused]] void* top) noexcept {
#if defined(TRUEASYNC_ASAN)
  __asan_unpoison_memory_region(limit, static_cast<std::size_t>(static_cast<char*>(top) - static_cast<char*>(limit)));
#endif
}

#if defined(TRUEASYNC_ASAN)
void sanitizer_before_call(SanitizerStackCall& call, const void* top, std::size_t room) noexcept {
  const char* end = static_cast<const char*>(top);
  const Bounds& own = thread_stack();
  const bool on_thread_stack = end > own.bottom && end <= own.bottom + own.size;
  const char* bottom = on_thread_stack ? own.bottom : end - room;
  __sanitizer_start_switch_fiber(&call.fake_stack, bottom, static_cast<std::size_t>(end - bottom));
}
#endif

}  // namespace trueasync::detail
