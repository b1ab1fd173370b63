// What the tests of this room share: an event that is fired by hand, and a simulated world whose clock can be reached.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "context/valgrind.hpp"
#include "support/reactor_test.hpp"

#define TRUEASYNC_SKIP_UNDER_VALGRIND(reason) \
  if (::trueasync::detail::running_on_valgrind()) GTEST_SKIP() << "valgrind: " << reason

namespace trueasync::test {

// Fired by the test, counts what the scheduler does to it. Without `liveness` only a coroutine can fire it.
class ManualEvent final : public Event {
 public:
  static Ref<ManualEvent> make(LivenessCounts* liveness = nullptr) {
    return Ref<ManualEvent>::adopt(new ManualEvent(liveness));
  }

  void fire(std::uintptr_t value = 1, std::exception_ptr error = nullptr) { notify({value, std::move(error)}); }

  bool replay(Notification& result) const noexcept override {
    if (while_replaying) while_replaying();
    if (happened) result = {7, nullptr};
    return happened;
  }
  std::string describe() const override { return "manual event"; }
  bool reclaim(Subscription&) noexcept override {
    ++reclaims;
    return gives_back;
  }

  int starts = 0;
  int stops = 0;
  int reclaims = 0;
  bool happened = false;     // for good: a late subscriber gets the value 7
  bool gives_back = true;    // what reclaim() answers
  bool fires_early = false;  // fires while it is being started
  std::exception_ptr start_error;
  std::function<void()> while_starting;
  std::function<void()> while_replaying;
  std::function<void()> while_dying;

 protected:
  std::exception_ptr on_start() noexcept override {
    if (while_starting) while_starting();
    if (start_error) return start_error;
    ++starts;
    if (fires_early) fire();
    return nullptr;
  }
  void on_stop() noexcept override { ++stops; }
  ~ManualEvent() override {
    if (while_dying) while_dying();
  }

 private:
  explicit ManualEvent(LivenessCounts* liveness) noexcept : Event(liveness) {}
};

// A runtime on a simulated reactor that the test can reach.
struct SimRuntime {
  explicit SimRuntime(std::chrono::nanoseconds clock_step = {}, RuntimeOptions options = {}) {
    auto made = std::make_unique<detail::SimReactor>(clock_step);
    reactor = made.get();
    runtime = detail::Access::make_runtime(std::move(options), std::move(made));
  }
  ~SimRuntime() { expect_no_leaks(*runtime); }

  detail::SimReactor* reactor;
  std::unique_ptr<Runtime> runtime;
};

// What happened between two looks at the counters.
inline Statistics operator-(Statistics now, const Statistics& before) {
  now.spawned -= before.spawned;
  now.finished -= before.finished;
  now.switches -= before.switches;
  now.direct_switches -= before.direct_switches;
  now.scheduler_switches -= before.scheduler_switches;
  now.started_without_switch -= before.started_without_switch;
  now.resumed_in_place -= before.resumed_in_place;
  now.ready_without_suspend -= before.ready_without_suspend;
  now.polls_without_wait -= before.polls_without_wait;
  now.polls_blocking -= before.polls_blocking;
  now.microtasks -= before.microtasks;
  now.deadlocks -= before.deadlocks;
  return now;
}

}  // namespace trueasync::test
