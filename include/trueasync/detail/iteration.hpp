// Iteration: the untyped part of iterate(). It spawns workers, the coroutines that call the callbacks besides the caller,
// and joins them.
//
// Lifetime: on the stack of the caller, which returns only after the last worker has finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::detail {

struct ControlBlock;

class TRUEASYNC_EXPORT Iteration : public Event {
 public:
  enum class OnStop : std::uint8_t { cancel, wait };
  enum class Spawned : std::uint8_t { wait, cancel };

  // `concurrency` 0: no limit.
  Iteration(std::size_t concurrency, OnStop on_stop, Spawned spawned, SourceLocation location);
  ~Iteration() override;

  // Runs the iteration until it is done; throws its errors.
  void run();

  std::string describe() const override { return "the callbacks of an iteration"; }

 protected:
  // Takes the next element and calls the callback with it. Returns false if the callback stops the iteration.
  virtual bool step() = 0;

  // AdvanceGuard: exists while a coroutine advances the range. Only one coroutine may do so at a time.
  class AdvanceGuard {
   public:
    explicit AdvanceGuard(Iteration& iteration) noexcept : iteration_(iteration) { iteration_.advancing_ = true; }
    ~AdvanceGuard() { iteration_.advancing_ = false; }
    AdvanceGuard(const AdvanceGuard&) = delete;
    AdvanceGuard& operator=(const AdvanceGuard&) = delete;

   private:
    Iteration& iteration_;
  };
  void mark_exhausted() noexcept { done_ = true; }
  // Called before a callback: if the callback suspends, another worker continues.
  void before_callback();

 private:
  struct NextWorkerMicrotask;
  struct Worker;
  struct ActiveWorker;
  struct Joiner;
  enum class StopCause : std::uint8_t { requested, error, cancellation };
  enum class JoinTarget : std::uint8_t { workers, all };  // all: also coroutines spawned by callbacks

  bool can_advance() const noexcept { return !done_ && !advancing_; }
  void work();
  void spawn_next_worker() noexcept;
  void stop(StopCause cause, std::exception_ptr error) noexcept;
  void record_error(std::exception_ptr error) noexcept;
  void collect_scope_errors() noexcept;
  void cancel_all() noexcept;
  void expire_workers() noexcept;
  void on_worker_exit() noexcept;
  void drop_abandoned_worker(const ControlBlock& block) noexcept;
  Event* next_to_await(JoinTarget target) noexcept;
  void join(JoinTarget target);
  void cancel_spawned();
  void join_during_unwind() noexcept;
  void report_errors() noexcept;
  void throw_errors();
  void dispose() noexcept override {}  // on a stack

  std::size_t concurrency_;  // the caller included
  OnStop on_stop_;
  Spawned spawned_;
  SourceLocation location_;
  ControlBlock* caller_;
  NextWorkerMicrotask* microtask_;
  IntrusiveList<ActiveWorker> active_workers_;  // the caller included
  std::size_t workers_ = 0;                     // spawned and not finished, without the caller
  std::exception_ptr cancellation_;             // what stopped the iteration, if a cancellation did
  std::vector<std::exception_ptr> errors_;      // in the order they happened
  bool caller_works_ = false;
  bool advancing_ = false;   // a coroutine advances the range
  bool done_ = false;        // no more elements are taken
  bool stopped_ = false;     // stopped before the end of the range
  bool cancelling_ = false;  // workers and spawned coroutines were cancelled
};

}  // namespace trueasync::detail
