// Concurrent iteration (MIC-05). Whoever is about to call a callback has queued the baton, a microtask, beforehand. If
// the callback suspends the baton runs, in the suspending coroutine's context, and spawns the next worker; if none
// suspends it never runs and no coroutine is made. A worker that has done with its callback takes the next element.
#include "trueasync/iterate.hpp"

#include "scheduler/face.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/microtask.hpp"

namespace trueasync::detail {

// On the heap: it may stand in the queue when the iteration is over.
struct Iteration::Baton : Microtask {
  explicit Baton(Iteration& owner) noexcept : iteration(&owner) {
    handler = [](Microtask& self) noexcept -> std::exception_ptr {
      auto& baton = static_cast<Baton&>(self);
      baton.queued = false;
      if (baton.iteration) baton.iteration->move_on();
      return nullptr;
    };
    destructor = [](Microtask& self) noexcept { delete static_cast<Baton*>(&self); };
  }
  void queue() {
    if (std::exchange(queued, true)) return;
    queue_microtask(*this);
  }

  Iteration* iteration;
  bool queued = false;
};

// The body of a worker; it counts itself even if it never starts.
struct Iteration::Worker {
  explicit Worker(Iteration& owner) noexcept : iteration(&owner) { ++owner.workers_; }
  Worker(Worker&& other) noexcept : iteration(std::exchange(other.iteration, nullptr)) {}
  ~Worker() {
    if (iteration) iteration->worker_gone();
  }
  void operator()() { iteration->work(); }

  Iteration* iteration;
};

// A coroutine that works on it; the caller too.
struct Iteration::Running : ListHook {
  explicit Running(Iteration& iteration) noexcept : block(this_thread->running()) {
    iteration.running_.push_back(*this);
  }
  ~Running() { unlink(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  ControlBlock* block;
};

// Whatever throws, the workers are gone before the frame is. While an exception unwinds, no wait is refused.
struct Iteration::Joiner {
  Iteration& iteration;
  ~Joiner() {
    if (iteration.workers_ != 0) iteration.join_unwinding();
  }
};

Iteration::Iteration(std::size_t limit, OnStop on_stop, Place place)
    : limit_(limit == 0 ? SIZE_MAX : limit),
      on_stop_(on_stop),
      place_(place),
      caller_(this_scheduler("iterate").running()),
      baton_(new Baton(*this)) {}

Iteration::~Iteration() {
  baton_->iteration = nullptr;
  baton_->cancelled = true;
  baton_->release();
}

void Iteration::run() {
  {
    Joiner joiner{*this};
    do {
      work();
      join();
    } while (!over_);  // workers may have been cancelled before they started
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Iteration::before_callback() {
  if (workers_ + (caller_works_ ? 1 : 0) < limit_) baton_->queue();
}

void Iteration::work() {
  Running running(*this);
  const bool is_caller = running.block == caller_;
  caller_works_ |= is_caller;
  while (may_take()) {
    try {
      if (!step()) stop(nullptr);
    } catch (const Cancelled& cancelled) {
      // Another's cancellation is told as such: its own object would keep that coroutine in its cleanup.
      const bool foreign = cancelled.is_own() && !is_caller;
      stop(foreign ? std::make_exception_ptr(Cancelled(cancelled.what(), nullptr)) : std::current_exception());
    } catch (...) {
      stop(std::current_exception());
    }
  }
  if (is_caller) caller_works_ = false;
}

// The suspending coroutine's callback waits for something: another coroutine goes on.
void Iteration::move_on() noexcept {
  if (interrupts_caller_) interrupt_caller();
  if (!may_take() || workers_ + (caller_works_ ? 1 : 0) >= limit_) return;
  try {
    spawn(Worker(*this), place_);
  } catch (...) {
    // No coroutine could be had: those that are there go on, one callback after the other.
  }
}

void Iteration::stop(std::exception_ptr error) noexcept {
  if (stopped_) return;  // the first error is the one to tell; what comes of the others' cancellation is none
  over_ = stopped_ = true;
  error_ = std::move(error);
  if (error_ || on_stop_ == OnStop::cancel) cancel_running();
}

void Iteration::cancel_running() noexcept {
  Scheduler& scheduler = *caller_->scheduler;
  for (Running* one = running_.front(); one; one = running_.next_of(*one)) {
    if (one->block == scheduler.running()) continue;
    if (one->block == caller_) {
      interrupt_caller();
    } else {
      scheduler.cancel(*one->block);
    }
  }
}

// The caller's callback ends as if cancelled, but the caller itself is not: only its wait is ended.
void Iteration::interrupt_caller() noexcept {
  Scheduler& scheduler = *caller_->scheduler;
  interrupts_caller_ = false;
  if (!caller_works_ || !scheduler.cancellation_due(*caller_)) return;
  caller_->error = std::make_exception_ptr(Cancelled("the iteration was stopped", nullptr));
  if (caller_->waker().wake(WakeReason::error, scheduler) || caller_->waker().overtake(WakeReason::error)) return;
  caller_->error = nullptr;  // it has what it waited for: at its next wait, then
  interrupts_caller_ = true;
  baton_->queue();
}

void Iteration::worker_gone() noexcept {
  if (--workers_ == 0) notify({});
}

void Iteration::join() {
  if (workers_ == 0) return;
  WaitEntry entry(*this);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  Scheduler& scheduler = *caller_->scheduler;
  raise_unless_well(scheduler, scheduler.wait(request, place_), &request);
}

void Iteration::join_unwinding() noexcept {
  over_ = stopped_ = true;
  cancel_running();
  Scheduler& scheduler = *caller_->scheduler;
  while (workers_ != 0) {
    WaitEntry entry(*this);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    // A deadlock: workers that refuse to end, and nothing to wake them. Only the end of the program is left.
    if (scheduler.wait(request, place_) == WakeReason::error) scheduler.shut_down(request.error);
  }
}

}  // namespace trueasync::detail
