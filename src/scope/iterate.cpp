// Concurrent iteration (MIC-05). Whoever is about to call a callback has queued the baton, a microtask, beforehand. If
// the callback suspends the baton runs, in the suspending coroutine's context, and spawns the next worker; if none
// suspends it never runs and no coroutine is made. A worker that has done with its callback takes the next element.
// What callbacks spawn belongs to a child scope, made when they do.
#include "trueasync/iterate.hpp"

#include "scheduler/api_support.hpp"
#include "scope/lazy_scope.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/deadline.hpp"
#include "trueasync/microtask.hpp"

namespace trueasync::detail {

// On the heap: it may stand in the queue when the iteration is over.
struct Iteration::NextWorkerMicrotask final : Microtask, LazyScopeListener {
  explicit NextWorkerMicrotask(Iteration& owner)
      : scope(*owner.caller_->scheduler, owner.caller_->owner, *this), iteration(&owner) {
    scope.on_error = [&owner](const std::exception_ptr& error, const Coroutine&) {
      owner.stop(StopCause::error, error);
    };
    handler = [](Microtask& self) noexcept -> std::exception_ptr {
      auto& baton = static_cast<NextWorkerMicrotask&>(self);
      baton.queued = false;
      if (baton.iteration) baton.iteration->spawn_next_worker();
      return nullptr;
    };
    destructor = [](Microtask& self) noexcept { delete static_cast<NextWorkerMicrotask*>(&self); };
  }
  void queue() {
    if (std::exchange(queued, true)) return;
    queue_microtask(*this);
  }
  void on_cancelled() noexcept override {
    if (iteration->caller_->flags & kCancelRequested) return;  // it hears of it at its own wait
    iteration->stop(StopCause::cancellation,
                    std::make_exception_ptr(Cancelled("the scope of the iteration was cancelled")));
  }
  void on_deadline() noexcept override { iteration->expire_workers(); }
  void on_abandoned(ControlBlock& block) noexcept override { iteration->drop_abandoned_worker(block); }

  LazyScope scope;
  Iteration* iteration;
  bool queued = false;
};

// The body of a worker; it counts itself even if it never starts.
struct Iteration::Worker {
  explicit Worker(Iteration& owner) noexcept : iteration(&owner) { ++owner.workers_; }
  Worker(Worker&& other) noexcept : iteration(std::exchange(other.iteration, nullptr)) {}
  ~Worker() {
    if (iteration) iteration->on_worker_exit();
  }
  void operator()() { iteration->work(); }

  Iteration* iteration;
};

// A coroutine that works on it; the caller too. What it spawns meanwhile belongs to the iteration.
struct Iteration::ActiveWorker : ListHook {
  explicit ActiveWorker(Iteration& iteration) noexcept
      : block(current_scheduler->running()), scope(iteration.baton_->scope), owner(scope.enter(*block)) {
    iteration.running_.push_back(*this);
  }
  ~ActiveWorker() {
    unlink();
    scope.leave(*block, owner);
  }
  ActiveWorker(const ActiveWorker&) = delete;
  ActiveWorker& operator=(const ActiveWorker&) = delete;

  ControlBlock* block;
  LazyScope& scope;
  CoroutineOwner* owner;
};

// Whatever throws, workers and what was spawned are gone before the frame is. While an exception unwinds, no wait is
// refused.
struct Iteration::Joiner {
  Iteration& iteration;
  bool unwinds = true;
  ~Joiner() {
    if (unwinds) iteration.join_during_unwind();
    iteration.baton_->scope.dispose_if_created();
  }
};

Iteration::Iteration(std::size_t limit, OnStop on_stop, Spawned spawned, SourceLocation location)
    : limit_(limit == 0 ? SIZE_MAX : limit),
      on_stop_(on_stop),
      spawned_(spawned),
      location_(location),
      caller_(require_scheduler("iterate").running()),
      baton_(new NextWorkerMicrotask(*this)) {}

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
      join(JoinTarget::workers);
    } while (!done_);  // workers may have been cancelled before they started
    if (spawned_ == Spawned::cancel) cancel_spawned();
    join(JoinTarget::all);
    joiner.unwinds = false;
  }
  throw_errors();
}

// Whoever has been spawned just now gets a turn first, so that it can tell of its end.
void Iteration::cancel_spawned() {
  ScopeState* scope = baton_->scope.scope_if_created();
  if (!scope || scope->is_settled()) return;
  Scheduler& scheduler = *caller_->scheduler;
  throw_wait_error(scheduler, scheduler.yield_slow(location_), nullptr);
  stopped_ = true;  // by nobody's failure
  cancel_running();
}

void Iteration::throw_errors() {
  collect_scope_errors();
  if (cancellation_) {
    report_errors();
    std::rethrow_exception(std::exchange(cancellation_, nullptr));
  }
  if (auto error = combine_errors(std::exchange(errors_, {}))) std::rethrow_exception(error);
}

// What its handlers could not deal with.
void Iteration::collect_scope_errors() noexcept {
  ScopeState* scope = baton_->scope.scope_if_created();
  if (!scope) return;
  for (std::exception_ptr& error : scope->take_errors()) record_error(std::move(error));
}

// Something else is thrown: nobody will hear of them otherwise.
void Iteration::report_errors() noexcept {
  for (const std::exception_ptr& error : std::exchange(errors_, {})) {
    caller_->scheduler->report_unhandled(*caller_, error);
  }
}

void Iteration::before_callback() {
  if (workers_ + (caller_works_ ? 1 : 0) < limit_) baton_->queue();
}

void Iteration::work() {
  ActiveWorker running(*this);
  const bool is_caller = running.block == caller_;
  caller_works_ |= is_caller;
  while (can_advance()) {
    try {
      if (!step()) stop(StopCause::requested, nullptr);
    } catch (const OperationCancelled&) {
      // A token that ran out is a failure, unless the coroutine was asked to end anyway.
      const bool cancelled = running.block->flags & kCancelRequested;
      stop(cancelled ? StopCause::cancellation : StopCause::error, std::current_exception());
    } catch (const Cancelled& cancelled) {
      // Another's cancellation is told as such: its own object would keep that coroutine in its cleanup.
      const bool foreign = cancelled.is_own() && !is_caller;
      stop(StopCause::cancellation,
           foreign ? std::make_exception_ptr(Cancelled(cancelled.what())) : std::current_exception());
    } catch (const DeadlineError&) {
      if (errors_.empty()) stop(StopCause::error, std::current_exception());  // all calls have the same
    } catch (...) {
      stop(StopCause::error, std::current_exception());
    }
  }
  if (is_caller) caller_works_ = false;
}

// The suspending coroutine's callback waits for something: another coroutine goes on.
void Iteration::spawn_next_worker() noexcept {
  if (!can_advance() || workers_ + (caller_works_ ? 1 : 0) >= limit_) return;
  try {
    spawn_in(&baton_->scope.enclosing_scope(), {}, Worker(*this), location_);
  } catch (...) {
    // No coroutine could be had: those that are there go on, one callback after the other.
  }
}

void Iteration::stop(StopCause cause, std::exception_ptr error) noexcept {
  const bool was_stopped = std::exchange(stopped_, true);
  done_ = true;
  if (cause == StopCause::error) {
    record_error(std::move(error));
  } else if (was_stopped) {
    return;  // that the others were cancelled is no news
  }
  if (cause == StopCause::cancellation) cancellation_ = std::move(error);
  if (cause != StopCause::requested || on_stop_ == OnStop::cancel) cancel_running();
}

void Iteration::record_error(std::exception_ptr error) noexcept {
  try {
    errors_.push_back(error);
  } catch (...) {
    caller_->scheduler->report_unhandled(*caller_, error);  // there is no room for it
  }
}

void Iteration::cancel_running() noexcept {
  if (std::exchange(cancelling_, true)) return;
  Scheduler& scheduler = *caller_->scheduler;
  if (ScopeState* scope = baton_->scope.scope_if_created()) scope->cancel();
  for (ActiveWorker* one = running_.front(); one; one = running_.next_of(*one)) {
    if (one->block == caller_) {
      baton_->scope.interrupt(*caller_);  // its callback ends as if cancelled, but the caller itself is not
    } else {
      scheduler.cancel(*one->block);
    }
  }
}

// The deadline of the iteration's own scope, which they are no members of.
void Iteration::expire_workers() noexcept {
  for (ActiveWorker* one = running_.front(); one; one = running_.next_of(*one))
    caller_->scheduler->deliver_deadline(*one->block);
}

void Iteration::on_worker_exit() noexcept {
  if (--workers_ == 0) notify({});
}

// A worker of ours, or of an iteration that one of our calls has begun, was given up in its call.
void Iteration::drop_abandoned_worker(const ControlBlock& block) noexcept {
  for (ActiveWorker* one = running_.front(); one; one = running_.next_of(*one)) {
    if (one->block != &block || &block == caller_) continue;
    one->unlink();
    return on_worker_exit();
  }
}

void Iteration::join(JoinTarget whom) {
  while (Event* event = next_to_await(whom)) {
    WaitEntry entry(*event);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    Scheduler& scheduler = *caller_->scheduler;
    throw_wait_error(scheduler, scheduler.wait(request, location_), &request);
  }
}

Event* Iteration::next_to_await(JoinTarget whom) noexcept {
  if (workers_ != 0) return this;
  if (whom == JoinTarget::workers) return nullptr;
  ScopeState* scope = baton_->scope.scope_if_created();
  if (scope && cancelling_) scope->cancel();                           // it may have been made since
  return scope && !scope->is_settled() ? &scope->settled() : nullptr;  // where the caller is a zombie so are they
}

void Iteration::join_during_unwind() noexcept {
  done_ = stopped_ = true;
  cancel_running();
  Scheduler& scheduler = *caller_->scheduler;
  while (Event* event = next_to_await(JoinTarget::all)) {
    WaitEntry entry(*event);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    // A deadlock: workers that refuse to end, and nothing to wake them. Only the end of the program is left.
    if (scheduler.wait(request, location_) == WakeReason::error) scheduler.shut_down(request.error);
  }
  collect_scope_errors();
  report_errors();
}

}  // namespace trueasync::detail
