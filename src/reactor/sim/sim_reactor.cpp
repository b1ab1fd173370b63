#include "reactor/sim/sim_reactor.hpp"

#include <thread>

#include "reactor/sim/sim_events.hpp"

namespace trueasync::detail {

Ref<Event> SimReactor::new_poll(int fd, unsigned bits) { return Ref<SimPoll>::adopt(new SimPoll(*this, fd, bits)); }

Ref<TriggerEvent> SimReactor::new_trigger() { return Ref<SimTrigger>::adopt(new SimTrigger(*this)); }

Ref<Event> SimReactor::new_signal(int number) { return Ref<SimSignal>::adopt(new SimSignal(*this, number)); }

SimReactor::SimReactor(std::chrono::nanoseconds clock_step) noexcept : clock_step_(clock_step) {}

SimReactor::~SimReactor() { close(); }

void SimReactor::submit(WorkEvent& work) {
  works_.push_back(std::make_unique<SimWork>(work));
  ++liveness().foreground;
}

bool SimReactor::run_pending_work() noexcept {
  auto works = std::exchange(works_, {});
  for (auto& work : works) {
    --liveness().foreground;
    work->run();
  }
  return !works.empty();
}

bool SimReactor::deliver() noexcept {
  bool any = woken_up_.exchange(false);
  any |= run_pending_work();
  // Iterates over copies: a notification may start or stop other events.
  for (SimTrigger* trigger : std::vector(triggers_)) {
    if (std::find(triggers_.begin(), triggers_.end(), trigger) != triggers_.end()) any |= trigger->deliver();
  }
  for (SimPoll* event : std::vector(polls_)) {
    auto ready = ready_.find(event->fd());
    if (ready == ready_.end() || std::find(polls_.begin(), polls_.end(), event) == polls_.end()) continue;
    any |= event->deliver_if_ready(ready->second);
  }
  for (int number : std::exchange(raised_, {})) {
    for (SimSignal* event : std::vector(signals_)) {
      if (std::find(signals_.begin(), signals_.end(), event) != signals_.end()) any |= event->deliver(number);
    }
  }
  return any;
}

void SimReactor::poll(TimePoint until) noexcept {
  if (deliver() || until == TimePoint::min()) return;
  // No event is ready: jump to the deadline. Without one, only a wake_up() or trigger of another thread can end the
  // wait.
  if (until != TimePoint::max()) {
    now_ = std::max(now_, until);
    return;
  }
  while (!deliver()) std::this_thread::yield();
}

std::vector<std::string> SimReactor::close() noexcept {
  std::vector<std::string> leaked;
  auto detach_all = [&](auto& events) {
    for (auto* event : std::exchange(events, {})) {
      leaked.push_back(event->describe());
      event->detach_reactor();
    }
  };
  for (auto& work : works_) work->cancel_if_queued();
  run_pending_work();
  detach_all(polls_);
  detach_all(signals_);
  detach_all(triggers_);
  notify_closed();
  return leaked;
}

}  // namespace trueasync::detail
