#include "support/waiters.hpp"

#include "scheduler/report.hpp"
#include "support/error.hpp"

namespace trueasync::php {

std::uint32_t count_waiters(const Event& event) noexcept {
  std::uint32_t count = 0;
  event.each_subscriber([&](const Subscription& one) { count += detail::Waker::behind(one) != nullptr; });
  return count;
}

void return_waiters(zval* return_value, const Event& event) {
  array_init(return_value);
  guarded([&] {
    event.each_subscriber([&](const Subscription& one) {
      const detail::Waker* waker = detail::Waker::behind(one);
      if (!waker) return;
      const auto& block = *static_cast<const detail::ControlBlock*>(waker);
      const std::string text = "coroutine " + detail::label(block) + ", spawned at " +
                               detail::place_text(block.spawn_place) + ", waits at " +
                               detail::place_text(block.suspend_place);
      add_next_index_stringl(return_value, text.data(), text.size());
    });
  });
}

}  // namespace trueasync::php
