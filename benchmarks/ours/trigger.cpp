// A round trip to another thread. An eventfd wakes the thread, as in the baseline; a trigger wakes the coroutine.
#include <sys/eventfd.h>
#include <unistd.h>

#include <thread>
#include <trueasync/trueasync.hpp>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {

void trigger(std::uint64_t) {
  const std::uint64_t count = operations_or(100'000);
  run_in_runtime([=] {
    const int request = ::eventfd(0, 0);
    ta::Trigger trigger;
    std::uint64_t value = 0;
    std::thread other([&] {
      std::uint64_t received = 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        if (::read(request, &received, sizeof received) != sizeof received) return;
        trigger.fire();
      }
    });
    value = 1;
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (::write(request, &value, sizeof value) != sizeof value) break;
      trigger.wait();
    }
    report(watch.elapsed_ns() / static_cast<double>(count));
    other.join();
    ::close(request);
  });
}

}  // namespace bench::ours
