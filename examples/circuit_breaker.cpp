// A circuit breaker for a service that fails and recovers: calls are rejected while the service is down, and a few probes
// detect the recovery.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    bool is_up = true;
    int calls = 0;
    const auto service = [&] {
      ++calls;
      ta::delay(1ms);
      if (!is_up) throw std::runtime_error("connection refused");
      return 42;
    };

    ta::CircuitBreaker breaker({.strategy = std::make_shared<ta::ConsecutiveFailures>(ta::ConsecutiveFailuresOptions{
                                    .failures = 3, .backoff = {.initial = 20ms, .max = 1s}}),
                                .probes = 1,
                                .rounds = 2,
                                .recovery_check_interval = 5ms});
    breaker.set_observer(
        [](void*, ta::BreakerState from, ta::BreakerState to) noexcept {
          std::printf("%s -> %s\n", to_string(from), to_string(to));
        },
        nullptr);
    std::printf("result %d\n", breaker.call(service));

    is_up = false;
    int rejected = 0;
    for (int i = 0; i < 1000; ++i) {
      try {
        breaker.call(service);
      } catch (const ta::ServiceUnavailableError& error) {
        if (++rejected == 1) std::printf("%s\n", error.what());
      } catch (const std::runtime_error&) {
      }
    }
    std::printf("few calls reached the service: %s\n", calls < 10 && rejected > 900 ? "yes" : "no");

    is_up = true;
    while (!breaker.is_active()) {
      try {
        breaker.call(service);
      } catch (const ta::ServiceUnavailableError&) {
        ta::delay(1ms);
      }
    }
    std::printf("result %d\n", breaker.call(service));
  });
}
