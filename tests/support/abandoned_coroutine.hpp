// For tests of coroutines that refuse to end and are given up.
#pragma once

#include "context/sanitizer.hpp"
#include "trueasync/time.hpp"
#if defined(TRUEASYNC_ASAN)
#include <sanitizer/lsan_interface.h>
#endif

namespace trueasync::test {

// What a coroutine that was given up still owned is lost by definition; LeakSanitizer need not tell us.
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
