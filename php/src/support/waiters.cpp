#include "support/waiters.hpp"

#include "scheduler/report.hpp"
#include "support/error.hpp"
#include "trueasync/detail/await_many.hpp"

namespace trueasync::php {

std::uint32_t count_waiters(const Event& event) noexcept {
  std::uint32_t count = 0;
  event.each_subscriber([&](const Subscription& one) { count += detail::Waker::behind(one) != nullptr; });
  return count;
}

namespace {

// Those of the await family wait for a collector, which has subscribed in their place.
template <class F>
void each_waiting(const Event& event, F&& visit) {
  event.each_subscriber([&](const Subscription& one) {
    if (const detail::Waker* waker = detail::Waker::behind(one)) {
      visit(*static_cast<const detail::ControlBlock*>(waker));
    } else if (const auto* collector = detail::AwaitCollector::behind(one)) {
      each_waiting(*collector, visit);
    }
  });
}

}  // namespace

void return_waiters(zval* return_value, const Event& event) {
  array_init(return_value);
  guarded([&] {
    each_waiting(event, [&](const detail::ControlBlock& block) {
      const std::string text = "coroutine " + detail::label(block) + ", spawned at " +
                               detail::place_text(block.spawn_place) + ", waits at " +
                               detail::place_text(block.suspend_place);
      add_next_index_stringl(return_value, text.data(), text.size());
    });
  });
}

}  // namespace trueasync::php
