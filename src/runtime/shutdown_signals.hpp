// ShutdownSignals: optional signals that shut the runtime down. The first signal starts a graceful shutdown, the second
// forces it. They are background events: watching SIGTERM does not keep a program alive.
#pragma once

#include <memory>
#include <vector>

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

class ShutdownSignals {
 public:
  // Throws the reactor's error if a signal cannot be watched; no signal is watched then.
  void start(Scheduler& scheduler, const std::vector<int>& numbers);
  void stop() noexcept;

 private:
  struct Watch : Subscription {
    Scheduler* scheduler = nullptr;
    Ref<Event> signal;
  };
  static void on_signal(Subscription& self, const Notification& notification) noexcept;

  std::vector<std::unique_ptr<Watch>> watches_;
};

}  // namespace trueasync::detail
