// Two coroutines wait concurrently: the sum is printed after 50 ms, not after 60 ms.
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    auto slow = ta::spawn([] {
      ta::delay(50ms);
      return 2;
    });
    auto fast = ta::spawn({.name = "fast", .priority = ta::Priority::high}, [] {
      ta::delay(10ms);
      return 1;
    });
    std::printf("%d\n", ta::await(fast) + ta::await(slow));  // 3
    slow.cancel();                                           // already finished: no effect
  });
}
