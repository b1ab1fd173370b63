// Cost of arming and cancelling a timer, with a million timers that never fire.
#include <chrono>
#include <memory>
#include <vector>

#include "ours/workloads.hpp"
#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/timer_event.hpp"
#include "support/harness.hpp"

namespace bench::ours {

void timer_cancel(std::uint64_t) {
  using trueasync::Ref;
  using trueasync::detail::TimerEvent;
  const std::uint64_t count = operations_or(1'000'000);
  trueasync::detail::EpollReactor reactor;
  std::vector<Ref<TimerEvent>> timers;
  timers.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    timers.push_back(Ref<TimerEvent>::adopt(new TimerEvent(reactor, std::chrono::seconds(60 + i % 1000))));
  }
  const Stopwatch watch;
  for (auto& timer : timers) timer->start();
  for (auto& timer : timers) timer->stop();
  report(watch.elapsed_ns() / static_cast<double>(count));
}

}  // namespace bench::ours
