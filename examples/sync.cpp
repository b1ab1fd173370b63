// Synchronization: mutex, semaphore, condition, latch, rate limiter and retry.
#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    ta::Semaphore connections(2);
    ta::Mutex log;
    ta::Latch done(5);
    int max_open = 0, open = 0;
    for (int i = 0; i < 5; ++i) {
      ta::spawn([&] {
        auto permit = connections.permit();
        max_open = std::max(max_open, ++open);
        ta::delay(1ms);
        auto guard = log.guard();  // may be held across suspensions
        --open;
        done.count_down();
      });
    }
    done.wait();
    std::printf("at most %d open\n", max_open);

    ta::Condition changed;
    int level = 0;
    auto watcher = ta::spawn([&] {
      changed.wait([&] { return level >= 3; });
      std::printf("level %d\n", level);
    });
    for (int i = 0; i < 3; ++i) {
      ta::yield();
      ++level;
      changed.notify_all();
    }
    ta::await(watcher);

    ta::RateLimiter limiter({.per_second = 1000, .burst = 2});
    for (int i = 0; i < 4; ++i) limiter.acquire();  // two immediately, then one per millisecond

    int attempts = 0;
    const int result = ta::retry({.attempts = 5, .initial_delay = 1ms}, [&] {
      if (++attempts < 3) throw std::runtime_error("not yet");
      return attempts;
    });
    std::printf("succeeded at attempt %d\n", result);
  });
}
