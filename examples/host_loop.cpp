// Embedding in another event loop: the host polls the runtime's descriptor together with its own and calls run_once()
// when the runtime has work.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  ta::Runtime runtime;
  runtime.attach();
  auto task = ta::spawn([] {
    for (int i = 1; i <= 3; ++i) {
      ta::delay(5ms);
      std::printf("tick %d\n", i);
    }
  });
  bool busy = runtime.run_once();
  while (!task.is_finished()) {
    int wait_ms = -1;
    if (busy) {
      wait_ms = 0;
    } else if (auto due = runtime.next_deadline()) {
      const auto remaining = std::chrono::ceil<std::chrono::milliseconds>(*due - std::chrono::steady_clock::now());
      wait_ms = static_cast<int>(std::max<long>(0, remaining.count()));
    }
    pollfd descriptors[] = {{runtime.backend_fd(), POLLIN, 0}};  // and the host's descriptors
    ::poll(descriptors, 1, wait_ms);
    busy = runtime.run_once();
  }
  runtime.detach();
  std::puts("the host's event loop ran all the time");
}
