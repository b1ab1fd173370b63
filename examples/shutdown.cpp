// Graceful shutdown on SIGTERM: every coroutine is cancelled and runs its cleanup, which may suspend. The exit code is 0.
// This program sends the signal to itself.
#include <csignal>
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  ta::RuntimeOptions options;
  options.shutdown_signals = {SIGTERM, SIGINT};
  options.shutdown_timeout = 2s;  // then the shutdown is forced

  return ta::run(options, [] {
    for (int i = 1; i <= 3; ++i) {
      ta::spawn({.name = "connection"}, [i] {
        try {
          ta::delay(1h);
        } catch (const ta::Cancelled&) {
          ta::delay(std::chrono::milliseconds(i));  // cleanup, for example a message to the peer
          std::printf("connection %d closed\n", i);
          throw;
        }
      });
    }
    ta::delay(5ms);
    std::puts("SIGTERM");
    std::raise(SIGTERM);
    ta::delay(1h);
  });
}
