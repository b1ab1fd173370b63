// Condition: wait until another coroutine says that something has changed. First come first served. Nothing is kept:
// notifying while nobody waits does nothing, so ask for the state in a loop, or give wait() the question.
//
// A Mutex is needed only if what is asked about is changed across suspensions; it is let go while waiting and held
// again afterwards, whatever ended the wait – except when a deadlock or a shutdown that forces the end keeps it from
// that: then the guard does not own it.
//
// Owns: its queue. Lifetime: outlives its waiters (checked). Threads: one runtime's. Errors: wait throws Cancelled,
// TimeoutError with a limit, OperationCancelled with a token.
#pragma once

#include <chrono>
#include <optional>
#include <type_traits>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/mutex.hpp"
#include "trueasync/place.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Condition {
 public:
  using Limit = std::optional<std::chrono::nanoseconds>;

  void wait(Limit limit = std::nullopt, Place place = Place::here()) { wait_for({.limit = limit}, place); }
  void wait(Event& token, Place place = Place::here()) { wait_for({.token = &token}, place); }
  void wait(Mutex::Guard& guard, Limit limit = std::nullopt, Place place = Place::here()) {
    wait_for(guard, {.limit = limit}, place);
  }
  void wait(Mutex::Guard& guard, Event& token, Place place = Place::here()) {
    wait_for(guard, {.token = &token}, place);
  }

  // Until is_true(); `limit` is for all of it.
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(F is_true, Limit limit = std::nullopt, Place place = Place::here()) {
    for (detail::TimeLeft left(limit); !is_true();) wait(left.now(), place);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(Mutex::Guard& guard, F is_true, Limit limit = std::nullopt, Place place = Place::here()) {
    for (detail::TimeLeft left(limit); !is_true();) wait(guard, left.now(), place);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(F is_true, Event& token, Place place = Place::here()) {
    while (!is_true()) wait(token, place);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(Mutex::Guard& guard, F is_true, Event& token, Place place = Place::here()) {
    while (!is_true()) wait(guard, token, place);
  }

  void notify_one() noexcept { queue_.notify_one(); }
  void notify_all() noexcept { queue_.serve_all(); }

 private:
  // One that was meant for a single waiter who leaves goes to the next; those of notify_all have all been told.
  class TRUEASYNC_EXPORT Queue final : public detail::WaitQueue {
   public:
    Queue() noexcept : WaitQueue("a condition") {}
    void notify_one() noexcept;
    bool reclaim(Subscription& subscription) noexcept override;
  };

  void wait_for(const detail::WaitLimits& limits, Place place);
  void wait_for(Mutex::Guard& guard, const detail::WaitLimits& limits, Place place);

  Queue queue_;
};

}  // namespace trueasync
