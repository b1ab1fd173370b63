#include "support/waiters.hpp"

#include "scheduler/report.hpp"
#include "support/error.hpp"
#include "trueasync/detail/await_collector.hpp"

namespace trueasync::php {

std::uint32_t count_waiters(const Event& event) noexcept {
  std::uint32_t count = 0;
  event.each_subscriber([&](const Subscription& one) { count += detail::Waker::from_subscription(one) != nullptr; });
  return count;
}

namespace {

// Those of the await family wait for a collector, which has subscribed in their place.
template <class F>
void each_waiting(const Event& event, F&& visit) {
  event.each_subscriber([&](const Subscription& one) {
    if (const detail::Waker* waker = detail::Waker::from_subscription(one)) {
      visit(*static_cast<const detail::ControlBlock*>(waker));
    } else if (const auto* collector = detail::AwaitCollector::from_subscription(one)) {
      each_waiting(*collector, visit);
    }
  });
}

}  // namespace

void return_waiters(zval* return_value, const Event& event) {
  array_init(return_value);
  catch_to_php([&] {
    each_waiting(event, [&](const detail::ControlBlock& block) {
      const std::string text = "coroutine " + detail::coroutine_label(block) + ", spawned at " +
                               detail::format_location(block.spawn_location) + ", waits at " +
                               detail::format_location(block.suspend_location);
      add_next_index_stringl(return_value, text.data(), text.size());
    });
  });
}

}  // namespace trueasync::php
