#include "support/waiters.hpp"

#include "scheduler/report.hpp"
#include "support/error.hpp"
#include "trueasync/detail/await_collector.hpp"

namespace trueasync::php {

std::uint32_t count_waiters(const Event& event) noexcept {
  std::uint32_t count = 0;
  event.for_each_subscriber(
      [&](const Subscription& subscription) { count += detail::Waker::from_subscription(subscription) != nullptr; });
  return count;
}

namespace {

// The await_*() functions wait for a collector, which subscribes to the event for them.
template <class F>
void for_each_waiting(const Event& event, F&& visit) {
  event.for_each_subscriber([&](const Subscription& subscription) {
    if (const detail::Waker* waker = detail::Waker::from_subscription(subscription)) {
      visit(*static_cast<const detail::ControlBlock*>(waker));
    } else if (const auto* collector = detail::AwaitCollector::from_subscription(subscription)) {
      for_each_waiting(*collector, visit);
    }
  });
}

}  // namespace

void return_waiters(zval* return_value, const Event& event) {
  array_init(return_value);
  catch_to_php([&] {
    for_each_waiting(event, [&](const detail::ControlBlock& block) {
      const std::string text = "coroutine " + detail::coroutine_label(block) + ", spawned at " +
                               detail::format_location(block.spawn_location) + ", waits at " +
                               detail::format_location(block.suspend_location);
      add_next_index_stringl(return_value, text.data(), text.size());
    });
  });
}

}  // namespace trueasync::php
