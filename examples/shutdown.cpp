// Graceful shutdown on SIGTERM: every coroutine is cancelled, cleans up – it may wait for that – and the program ends
// with code 0. Here the program sends the signal to itself.
#include <csignal>
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  ta::RuntimeOptions options;
  options.shutdown_signals = {SIGTERM, SIGINT};
  options.shutdown_timeout = 2s;  // whoever has not finished by then is forced

  return ta::run(options, [] {
    for (int i = 1; i <= 3; ++i) {
      ta::spawn({.name = "connection"}, [i] {
        try {
          ta::delay(1h);
        } catch (const ta::Cancelled&) {
          ta::delay(std::chrono::milliseconds(i));  // say goodbye to the peer
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
