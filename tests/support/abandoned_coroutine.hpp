// Helpers for tests of coroutines that ignore cancellation and are abandoned.
#pragma once

#include "context/sanitizer.hpp"
#include "trueasync/time.hpp"
#if defined(TRUEASYNC_ASAN)
#include <sanitizer/lsan_interface.h>
#endif

namespace trueasync::test {

// Disables LeakSanitizer: an abandoned coroutine leaks the objects it owns by definition.
class ScopedLeakCheckDisable {
 public:
#if defined(TRUEASYNC_ASAN)
  ScopedLeakCheckDisable() { __lsan_disable(); }
  ~ScopedLeakCheckDisable() { __lsan_enable(); }
#else
  ScopedLeakCheckDisable() {}
#endif
};

inline void ignore_cancellation_forever() {
  for (;;) {
    try {
      delay(std::chrono::hours(1));
    } catch (...) {
    }
  }
}

}  // namespace trueasync::test
