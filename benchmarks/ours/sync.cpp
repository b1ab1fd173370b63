#include <trueasync/sync/mutex.hpp>
#include <trueasync/sync/semaphore.hpp>
#include <trueasync/trueasync.hpp>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {

namespace {

// Acquire and release by one coroutine without contention; time per pair.
template <class F>
void pairs(F&& pair) {
  const std::uint64_t count = operations_or(20'000'000);
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < count; ++i) {
    pair();
    asm volatile("" ::: "memory");  // prevents the removal of a pair
  }
  report(watch.elapsed_ns() / static_cast<double>(count));
}

}  // namespace

void mutex(std::uint64_t) {
  run_in_runtime([] {
    ta::Mutex mutex;
    pairs([&] {
      mutex.lock();
      asm volatile("" : : "r"(&mutex) : "memory");
      mutex.unlock();
    });
  });
}

void semaphore(std::uint64_t permits) {
  run_in_runtime([=] {
    ta::Semaphore semaphore(permits);
    pairs([&] {
      semaphore.acquire();
      asm volatile("" : : "r"(&semaphore) : "memory");
      semaphore.release();
    });
  });
}

}  // namespace bench::ours
