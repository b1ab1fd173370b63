// FakeResolver: replaces getaddrinfo() and getnameinfo() of the test program. It needs no network, and the test decides
// when a blocked lookup continues.
//   a.test            10.0.0.1, 10.0.0.2
//   local.test        127.0.0.2, 127.0.0.1
//   slow.test         blocks its thread until unblock(), then 10.0.0.9
//   localhost         the real functions of the C library
//   anything else     EAI_NONAME
#pragma once

#include <atomic>

namespace trueasync::test {

struct FakeResolver {
  static inline std::atomic<int> calls{0};
  static inline std::atomic<int> blocked{0};
  static void reset() { calls = 0; }
  // Lets `count` blocked calls continue, including later ones.
  static void unblock(int count);
};

}  // namespace trueasync::test
