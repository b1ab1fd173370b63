// The system's resolver, replaced for this whole program: no network, and answers come when the test says so.
//   a.test            10.0.0.1, 10.0.0.2
//   local.test        127.0.0.2, 127.0.0.1
//   slow.test         blocks its thread until open(), then 10.0.0.9
//   anything else     EAI_NONAME
#pragma once

#include <atomic>

namespace trueasync::test {

struct FakeResolver {
  static inline std::atomic<int> calls{0};
  static inline std::atomic<int> blocked{0};
  static void reset() { calls = 0; }
  // Lets so many blocked calls go on, now or later.
  static void open(int how_many);
};

}  // namespace trueasync::test
