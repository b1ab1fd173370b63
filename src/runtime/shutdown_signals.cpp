#include "runtime/shutdown_signals.hpp"

namespace trueasync::detail {

void ShutdownSignals::start(Scheduler& scheduler, const std::vector<int>& numbers) {
  for (int number : numbers) {
    auto watch = std::make_unique<Watch>();
    watch->scheduler = &scheduler;
    watch->signal = scheduler.reactor().new_signal(number);
    watch->signal->set_background();
    watch->callback = &on_signal;
    watch->persistent = true;
    if (auto error = watch->signal->start()) {
      stop();
      std::rethrow_exception(error);
    }
    watch->signal->subscribe(*watch);
    watches_.push_back(std::move(watch));
  }
}

void ShutdownSignals::stop() noexcept {
  for (auto& watch : watches_) {
    watch->signal->unsubscribe(*watch);
    watch->signal->stop();
  }
  watches_.clear();
}

void ShutdownSignals::on_signal(Subscription& self, const Notification&) noexcept {
  Scheduler& scheduler = *static_cast<Watch&>(self).scheduler;
  if (scheduler.is_shutting_down()) {
    scheduler.force_shutdown();
  } else {
    scheduler.shut_down(nullptr);
  }
}

}  // namespace trueasync::detail
