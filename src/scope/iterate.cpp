// Concurrent iteration. The caller and the workers, coroutines spawned on demand, take elements and call the callback.
// Each queues a microtask before a call. If the callback suspends, the microtask runs and spawns the next worker. If no
// callback suspends, the microtask has no effect and no coroutine is created. Coroutines spawned by callbacks belong to a
// child scope, which is created on demand.
#include "trueasync/scope/iterate.hpp"

#include "scheduler/api_support.hpp"
#include "scope/lazy_scope.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/host.hpp"
#include "trueasync/scope/scope.hpp"

namespace trueasync::detail {

// NextWorkerMicrotask: spawns the next worker; also holds the scope of the iteration. On the heap, because it may still
// be queued when the iteration is destroyed.
struct Iteration::NextWorkerMicrotask final : Microtask, LazyScopeListener {
  explicit NextWorkerMicrotask(Iteration& owner)
      : scope(*owner.caller_->scheduler, owner.caller_->owner, *this), iteration(&owner) {
    scope.on_error = [&owner](const std::exception_ptr& error, const Coroutine&) {
      owner.stop(StopCause::error, error);
    };
    handler = [](Microtask& self) noexcept -> std::exception_ptr {
      auto& microtask = static_cast<NextWorkerMicrotask&>(self);
      microtask.queued = false;
      if (microtask.iteration) microtask.iteration->spawn_next_worker();
      return nullptr;
    };
    destructor = [](Microtask& self) noexcept { delete static_cast<NextWorkerMicrotask*>(&self); };
  }
  void queue() {
    if (std::exchange(queued, true)) return;
    queue_microtask(*this);
  }
  void on_cancelled() noexcept override {
    if (iteration->caller_->flags & kCancelRequested) return;  // the caller gets Cancelled from its own wait
    iteration->stop(StopCause::cancellation,
                    std::make_exception_ptr(Cancelled("the scope of the iteration was cancelled")));
  }
  void on_deadline() noexcept override { iteration->expire_workers(); }
  void on_abandoned(ControlBlock& block) noexcept override { iteration->drop_abandoned_worker(block); }

  LazyScope scope;
  Iteration* iteration;
  bool queued = false;
};

// Worker: the body of a worker coroutine. The destructor counts it as finished even if it never started.
struct Iteration::Worker {
  explicit Worker(Iteration& owner) noexcept : iteration(&owner) { ++owner.workers_; }
  Worker(Worker&& other) noexcept : iteration(std::exchange(other.iteration, nullptr)) {}
  ~Worker() {
    if (iteration) iteration->on_worker_exit();
  }
  void operator()() { iteration->work(); }

  Iteration* iteration;
};

// ActiveWorker: exists while a worker or the caller is in work(). Coroutines it spawns belong to the iteration's scope.
struct Iteration::ActiveWorker : ListHook {
  explicit ActiveWorker(Iteration& iteration) noexcept
      : block(current_scheduler->running()), scope(iteration.microtask_->scope), owner(scope.enter(*block)) {
    iteration.active_workers_.push_back(*this);
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

// Joiner: workers and spawned coroutines refer to the caller's frame, so they must finish before an exception leaves it.
// The wait in the destructor cannot be interrupted: no cancellation is delivered while an exception unwinds the stack.
struct Iteration::Joiner {
  Iteration& iteration;
  bool unwinding = true;
  ~Joiner() {
    if (unwinding) iteration.join_during_unwind();
    iteration.microtask_->scope.dispose_if_created();
  }
};

Iteration::Iteration(std::size_t concurrency, OnStop on_stop, Spawned spawned, SourceLocation location)
    : concurrency_(concurrency == 0 ? SIZE_MAX : concurrency),
      on_stop_(on_stop),
      spawned_(spawned),
      location_(location),
      caller_(require_scheduler("iterate").running()),
      microtask_(new NextWorkerMicrotask(*this)) {}

Iteration::~Iteration() {
  microtask_->iteration = nullptr;
  microtask_->cancelled = true;
  microtask_->release();
}

void Iteration::run() {
  {
    Joiner joiner{*this};
    do {
      work();
      join(JoinTarget::workers);
    } while (!done_);  // not done if the workers were cancelled before they started
    if (spawned_ == Spawned::cancel) cancel_spawned();
    join(JoinTarget::all);
    joiner.unwinding = false;
  }
  throw_errors();
}

// Yields before it cancels, so that coroutines spawned by the last callback start and can handle their cancellation.
void Iteration::cancel_spawned() {
  ScopeState* scope = microtask_->scope.scope_if_created();
  if (!scope || scope->is_empty()) return;
  Scheduler& scheduler = *caller_->scheduler;
  throw_wait_error(scheduler, scheduler.yield_slow(location_), nullptr);
  stopped_ = true;  // the cancellations that follow are not the cause of the stop
  cancel_all();
}

void Iteration::throw_errors() {
  collect_scope_errors();
  if (cancellation_) {
    report_errors();
    std::rethrow_exception(std::exchange(cancellation_, nullptr));
  }
  if (auto error = combine_errors(std::exchange(errors_, {}))) std::rethrow_exception(error);
}

// Collects the errors that no exception handler of the scope has handled.
void Iteration::collect_scope_errors() noexcept {
  ScopeState* scope = microtask_->scope.scope_if_created();
  if (!scope) return;
  for (std::exception_ptr& error : scope->take_errors()) record_error(std::move(error));
}

// Reports the errors that run() cannot throw, because it throws a cancellation or another exception.
void Iteration::report_errors() noexcept {
  for (const std::exception_ptr& error : std::exchange(errors_, {})) {
    caller_->scheduler->report_unhandled(*caller_, error);
  }
}

void Iteration::before_callback() {
  if (workers_ + (caller_works_ ? 1 : 0) < concurrency_) microtask_->queue();
}

void Iteration::work() {
  ActiveWorker worker(*this);
  const bool is_caller = worker.block == caller_;
  caller_works_ |= is_caller;
  while (can_advance()) {
    try {
      if (!step()) stop(StopCause::requested, nullptr);
    } catch (const OperationCancelled&) {
      // A token that fired in a callback is an error, unless the coroutine itself was cancelled.
      const bool cancelled = worker.block->flags & kCancelRequested;
      stop(cancelled ? StopCause::cancellation : StopCause::error, std::current_exception());
    } catch (const Cancelled& cancelled) {
      // Copy a worker's Cancelled: while the original exists, no further cancellation is delivered to that worker.
      const bool is_workers_own = cancelled.is_own() && !is_caller;
      stop(StopCause::cancellation,
           is_workers_own ? std::make_exception_ptr(Cancelled(cancelled.what())) : std::current_exception());
    } catch (const DeadlineError&) {
      if (errors_.empty()) stop(StopCause::error, std::current_exception());  // every worker gets it; one is enough
    } catch (...) {
      stop(StopCause::error, std::current_exception());
    }
  }
  if (is_caller) caller_works_ = false;
}

// Called in the context of a coroutine whose callback suspends.
void Iteration::spawn_next_worker() noexcept {
  if (!can_advance() || workers_ + (caller_works_ ? 1 : 0) >= concurrency_) return;
  try {
    spawn_in(&microtask_->scope.enclosing_scope(), {}, Worker(*this), location_);
  } catch (...) {
    // The spawn failed: the existing workers continue with less concurrency.
  }
}

void Iteration::stop(StopCause cause, std::exception_ptr error) noexcept {
  const bool was_stopped = std::exchange(stopped_, true);
  done_ = true;
  if (cause == StopCause::error) {
    record_error(std::move(error));
  } else if (was_stopped) {
    return;  // a consequence of the first stop
  }
  if (cause == StopCause::cancellation) cancellation_ = std::move(error);
  if (cause != StopCause::requested || on_stop_ == OnStop::cancel) cancel_all();
}

void Iteration::record_error(std::exception_ptr error) noexcept {
  try {
    errors_.push_back(error);
  } catch (...) {
    caller_->scheduler->report_unhandled(*caller_, error);  // out of memory
  }
}

void Iteration::cancel_all() noexcept {
  if (std::exchange(cancelling_, true)) return;
  Scheduler& scheduler = *caller_->scheduler;
  if (ScopeState* scope = microtask_->scope.scope_if_created()) scope->cancel();
  for (ActiveWorker* worker = active_workers_.front(); worker; worker = active_workers_.next_of(*worker)) {
    if (worker->block == caller_) {
      microtask_->scope.interrupt(*caller_);  // ends the callback; the caller itself is not cancelled
    } else {
      scheduler.cancel(*worker->block);
    }
  }
}

// The deadline of the iteration's scope has passed. Workers are not members of that scope, so deliver it here.
void Iteration::expire_workers() noexcept {
  for (ActiveWorker* worker = active_workers_.front(); worker; worker = active_workers_.next_of(*worker))
    caller_->scheduler->deliver_deadline(*worker->block);
}

void Iteration::on_worker_exit() noexcept {
  if (--workers_ == 0) notify({});
}

// A coroutine was abandoned inside a callback. It may also be a worker of a nested iteration, which is not in the list.
void Iteration::drop_abandoned_worker(const ControlBlock& block) noexcept {
  for (ActiveWorker* worker = active_workers_.front(); worker; worker = active_workers_.next_of(*worker)) {
    if (worker->block != &block || &block == caller_) continue;
    worker->unlink();
    return on_worker_exit();
  }
}

void Iteration::join(JoinTarget target) {
  while (Event* event = next_to_await(target)) {
    WaitEntry entry(*event);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    Scheduler& scheduler = *caller_->scheduler;
    throw_wait_error(scheduler, scheduler.wait(request, location_), &request);
  }
}

Event* Iteration::next_to_await(JoinTarget target) noexcept {
  if (workers_ != 0) return this;
  if (target == JoinTarget::workers) return nullptr;
  ScopeState* scope = microtask_->scope.scope_if_created();
  if (!scope) return nullptr;
  if (cancelling_) scope->cancel();  // the scope may have been created after cancel_all()
  // Zombies count: if the caller is a zombie, the coroutines of this scope are zombies too.
  return scope->is_empty() ? nullptr : &scope->end_event();
}

void Iteration::join_during_unwind() noexcept {
  done_ = stopped_ = true;
  cancel_all();
  Scheduler& scheduler = *caller_->scheduler;
  while (Event* event = next_to_await(JoinTarget::all)) {
    WaitEntry entry(*event);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    // A deadlock: the workers ignore their cancellation and nothing can wake them.
    if (scheduler.wait(request, location_) == WakeReason::error) scheduler.shut_down(request.error);
  }
  collect_scope_errors();
  report_errors();
}

}  // namespace trueasync::detail
