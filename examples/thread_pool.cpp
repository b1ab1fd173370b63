// CPU-bound work on the threads of a pool, while the coroutines of this thread continue to run.
#include <cstdio>
#include <stdexcept>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;

namespace {

int count_primes(int limit) {
  int count = 0;
  for (int n = 2; n < limit; ++n) {
    bool is_prime = true;
    for (int d = 2; d * d <= n && is_prime; ++d) is_prime = n % d != 0;
    count += is_prime;
  }
  return count;
}

}  // namespace

int main() {
  return ta::run([] {
    ta::ThreadPool pool({.workers = 2, .queue_capacity = 8});

    auto job = pool.submit([] { return count_primes(1000); });
    std::printf("primes below 1000: %d\n", ta::await(job));

    for (int count : pool.map(std::vector{10, 100, 10'000}, count_primes)) std::printf("map: %d\n", count);

    auto bad = pool.submit([]() -> int { throw std::runtime_error("invalid input"); });
    try {
      ta::await(bad);
    } catch (const std::runtime_error& error) {
      std::printf("failed: %s\n", error.what());
    }

    ta::Thread thread([] { return count_primes(100); });
    std::printf("dedicated thread: %d\n", ta::await(thread));
    pool.drain();
    std::printf("workers: %u\n", pool.workers());
  });
}
