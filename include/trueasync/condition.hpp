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
#include "trueasync/source_location.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Condition {
 public:
  using Limit = std::optional<std::chrono::nanoseconds>;

  void wait(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) {
    wait_for({.timeout = timeout}, location);
  }
  void wait(Event& token, SourceLocation location = SourceLocation::current()) {
    wait_for({.token = &token}, location);
  }
  void wait(Mutex::Guard& guard, Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) {
    wait_for(guard, {.timeout = timeout}, location);
  }
  void wait(Mutex::Guard& guard, Event& token, SourceLocation location = SourceLocation::current()) {
    wait_for(guard, {.token = &token}, location);
  }

  // Until is_true(); `limit` is for all of it.
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(F is_true, Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) {
    for (detail::RemainingTime left(timeout); !is_true();) wait(left.remaining(), location);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(Mutex::Guard& guard, F is_true, Limit timeout = std::nullopt,
            SourceLocation location = SourceLocation::current()) {
    for (detail::RemainingTime left(timeout); !is_true();) wait(guard, left.remaining(), location);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(F is_true, Event& token, SourceLocation location = SourceLocation::current()) {
    while (!is_true()) wait(token, location);
  }
  template <class F>
  requires std::is_invocable_r_v<bool, F&>
  void wait(Mutex::Guard& guard, F is_true, Event& token, SourceLocation location = SourceLocation::current()) {
    while (!is_true()) wait(guard, token, location);
  }

  void notify_one() noexcept { queue_.notify_one(); }
  void notify_all() noexcept { queue_.wake_all(); }

 private:
  // One that was meant for a single waiter who leaves goes to the next; those of notify_all have all been told.
  class TRUEASYNC_EXPORT Queue final : public detail::WaitQueue {
   public:
    Queue() noexcept : WaitQueue("a condition") {}
    void notify_one() noexcept;
    bool reclaim(Subscription& subscription) noexcept override;
  };

  void wait_for(const detail::WaitOptions& limits, SourceLocation location);
  void wait_for(Mutex::Guard& guard, const detail::WaitOptions& limits, SourceLocation location);

  Queue queue_;
};

}  // namespace trueasync
