#include <trueasync/sync/channel.hpp>
#include <trueasync/trueasync.hpp>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"
#include "support/harness.hpp"

namespace ta = trueasync;

namespace bench::ours {

// One coroutine sends, another receives until the channel is closed; time per message.
void channel(std::uint64_t capacity) {
  const std::uint64_t count = operations_or(5'000'000);
  run_in_runtime([=] {
    ta::Channel<std::uint64_t> channel(capacity);
    std::uint64_t sum = 0;
    auto sender = ta::spawn([=] {
      for (std::uint64_t i = 0; i < count; ++i) channel.send(i);
      channel.close();
    });
    auto receiver = ta::spawn([&sum, channel] {
      for (std::uint64_t value : channel) sum += value;
    });
    const Stopwatch watch;
    ta::await(sender);
    ta::await(receiver);
    const double elapsed = watch.elapsed_ns();
    if (sum != count * (count - 1) / 2) std::exit(1);
    report(elapsed / static_cast<double>(count));
  });
}

}  // namespace bench::ours
