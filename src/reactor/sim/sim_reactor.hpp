// SimReactor: a reactor with virtual time and events that a test fires. There is no other input, so a run can be
// repeated exactly.
//
// Time advances only in poll(): a blocking poll jumps to the next deadline. Each read of the clock may advance it by
// `clock_step`, so that code that waits for time to pass makes progress.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class SimPoll;
class SimSignal;
class SimWork;

class SimReactor final : public Reactor {
 public:
  explicit SimReactor(std::chrono::nanoseconds clock_step = {}) noexcept;
  ~SimReactor() override;

  TimePoint now() noexcept override { return now_ += clock_step_; }
  void wake_up() noexcept override { woken_up_.store(true); }
  Ref<Event> new_poll(int fd, unsigned bits) override;
  Ref<TriggerEvent> new_trigger() override;
  Ref<Event> new_signal(int number) override;
  // Runs the work inline in the next poll().
  void submit(WorkEvent& work) override;
  std::vector<std::string> close() noexcept override;

  // Controls for tests.
  void advance(std::chrono::nanoseconds by) noexcept { now_ += by; }
  // Sets the readiness of a simulated descriptor until the next call; `bits` are PollBits, 0 clears.
  void set_ready(int fd, unsigned bits) { ready_[fd] = bits; }
  void raise(int number) { raised_.push_back(number); }

 protected:
  void poll(TimePoint until) noexcept override;

 private:
  friend class SimPoll;
  friend class SimSignal;
  friend class SimTrigger;
  bool deliver() noexcept;
  bool run_pending_work() noexcept;

  TimePoint now_{std::chrono::hours(1)};
  std::chrono::nanoseconds clock_step_;
  std::atomic<bool> woken_up_{false};
  std::map<int, unsigned> ready_;
  std::vector<int> raised_;
  std::vector<SimPoll*> polls_;
  std::vector<SimSignal*> signals_;
  std::vector<class SimTrigger*> triggers_;
  std::vector<std::unique_ptr<SimWork>> works_;
};

}  // namespace trueasync::detail
