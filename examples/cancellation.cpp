// Cancellation: cleanup runs and may suspend, handlers for ordinary errors do not catch it, protect() defers it, and a
// token ends one wait without affecting the task.
#include <cstdio>
#include <stdexcept>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

void worker() {
  try {
    ta::delay(1h);
  } catch (const std::exception&) {
    std::puts("not reached: Cancelled is not a std::exception");
  } catch (const ta::Cancelled&) {
    ta::delay(1ms);  // cleanup may suspend
    std::puts("worker cleaned up");
    throw;
  }
}

int main() {
  return ta::run([] {
    auto task = ta::spawn(worker);
    ta::yield();
    task.cancel();
    try {
      ta::await(task);
    } catch (const ta::Cancelled& cancelled) {
      std::printf("%s\n", cancelled.what());
    }

    auto careful = ta::spawn([] {
      ta::protect([] {
        ta::delay(5ms);
        std::puts("the protected part completed");
      });
      std::puts("not reached: cancellation is delivered after the protected part");
    });
    ta::yield();
    careful.cancel();
    try {
      ta::await(careful);
    } catch (const ta::Cancelled&) {
      std::puts("then the coroutine was cancelled");
    }

    auto slow = ta::spawn([] {
      ta::delay(20ms);
      return 42;
    });
    try {
      ta::await(slow, ta::timeout(1ms));
    } catch (const ta::OperationCancelled&) {
      std::puts("timed out after 1 ms; the task continues");
    }
    std::printf("result: %d\n", ta::await(slow));
  });
}
