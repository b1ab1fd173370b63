// Signals that end the program gracefully (SHU-01), as an opt-in. The first one starts the shutdown, a second one
// forces it. They are hidden: waiting for SIGTERM does not keep a program alive.
#pragma once

#include <memory>
#include <vector>

#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

class ShutdownSignals {
 public:
  // Throws what the reactor says when a signal can't be watched; nothing is left started then.
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
