// The part of futures that does not depend on the value type: settling, waiting and unobserved errors.
#include "trueasync/sync/future.hpp"

#include <optional>

#include "scheduler/api_support.hpp"
#include "scheduler/detached_owner.hpp"
#include "scheduler/report.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync {

FutureError::~FutureError() = default;
BrokenPromiseError::~BrokenPromiseError() = default;

namespace detail {

namespace {

// True for a Cancelled that a catch (...) block passed to a promise. OperationCancelled is an ordinary error.
bool is_cancellation(const std::exception_ptr& error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const OperationCancelled&) {
    return false;
  } catch (const Cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

// Settling a future may settle the next future of its chain, and so on. The continuations run in a loop instead of
// recursively, because chains may be long and stacks are small. Returns the queue of the running loop, null if none
// runs.
void*& settling_queue(Scheduler* scheduler) noexcept {
  static constinit thread_local void* without_scheduler = nullptr;
  return scheduler ? scheduler->settling() : without_scheduler;
}

void call_settled(Continuation& continuation) noexcept {
  using Queue = IntrusiveList<Continuation>;
  Scheduler* scheduler = Scheduler::current();
  void*& running = settling_queue(scheduler);
  if (running) return static_cast<Queue*>(running)->push_back(continuation);
  std::optional<Scheduler::NoSuspend> guard;
  if (scheduler) guard.emplace(*scheduler, "a continuation of a future");
  Queue queue;
  running = &queue;
  continuation.on_settled();
  while (Continuation* next = queue.pop_front()) next->on_settled();
  running = nullptr;
}

bool is_broken_promise(const std::exception_ptr& error) noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const BrokenPromiseError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

void require_runtime(const char* operation) { require_scheduler(operation); }

CoroutineOwner& detached_owner() noexcept {
  static DetachedOwner owner;
  return owner;
}

void throw_empty_future(const char* operation) {
  throw MisuseError(std::string(operation) + ": the future or promise is empty (default-constructed or moved from)");
}

FutureCore::FutureCore(FuturePhase phase, SourceLocation created) noexcept
    : scheduler_(Scheduler::current()), created_(created), phase_(phase) {
  if (phase != FuturePhase::pending) completed_ = created;
}

FutureCore::~FutureCore() = default;

bool FutureCore::replay(Notification& result) const noexcept {
  if (phase_ == FuturePhase::pending) return false;
  result.error = error_;
  return true;
}

std::string FutureCore::describe() const {
  const std::string location = format_location(created_);
  return location.empty() ? "a future" : "a future created at " + location;
}

void FutureCore::check_is_pending() const {
  if (phase_ == FuturePhase::pending) return;
  throw FutureError(describe() + " is already settled, at " + format_location(completed_));
}

void FutureCore::check_can_settle() const {
  check_is_pending();
  if (scheduler_ != Scheduler::current()) {
    throw MisuseError(describe() + " belongs to the runtime of another thread; use a Trigger to reach it from here");
  }
}

void FutureCore::settle(FuturePhase phase, std::exception_ptr error, SourceLocation location) noexcept {
  phase_ = phase;
  error_ = std::move(error);
  completed_ = location;
  notify({0, error_});
}

void FutureCore::fail(std::exception_ptr error, SourceLocation location) {
  check_can_settle();
  if (!error) throw MisuseError("Promise::fail: the error must not be null");
  if (is_cancellation(error)) return settle(FuturePhase::cancelled, nullptr, location);
  settle(FuturePhase::error, std::move(error), location);
}

void FutureCore::fail_with_current_exception(SourceLocation location) noexcept {
  std::exception_ptr error;
  const Outcome outcome = classify_current_exception(error);
  settle(outcome == Outcome::cancelled ? FuturePhase::cancelled : FuturePhase::error, std::move(error), location);
}

void FutureCore::break_promise() noexcept {
  if (phase_ != FuturePhase::pending) return;
  settle(
      FuturePhase::error,
      std::make_exception_ptr(BrokenPromiseError("the promise of " + describe() + " was destroyed without a result")),
      {});
}

void FutureCore::join(WaitOptions options, SourceLocation location) {
  if (phase_ == FuturePhase::pending) {
    Scheduler& scheduler = require_scheduler("await");
    if (scheduler_ != &scheduler)
      throw MisuseError("await: " + describe() + " belongs to the runtime of another thread");
    wait_for_event(scheduler, *this, options, location);
  }
  if (phase_ != FuturePhase::value) throw_error();
}

void FutureCore::throw_error() {
  mark_error_observed();
  if (error_) std::rethrow_exception(error_);
  throw Cancelled(describe() + " was cancelled");
}

void FutureCore::then(std::unique_ptr<Continuation> continuation) noexcept { then(*continuation.release()); }

void FutureCore::then(Continuation& continuation) noexcept {
  if (phase_ != FuturePhase::pending) return call_settled(continuation);
  continuation.callback = [](Subscription& self, const Notification&) noexcept {
    call_settled(static_cast<Continuation&>(self));
  };
  subscribe(continuation);
}

void FutureCore::check_not_moved_out() const {
  if (moved_out_) throw MisuseError("the result of " + describe() + " has already been moved out");
}

void FutureCore::mark_moved_out() {
  check_not_moved_out();
  moved_out_ = true;
}

void FutureCore::dispose() noexcept {
  Scheduler* scheduler = Scheduler::current();
  if (phase_ == FuturePhase::error && !observed_ && scheduler && scheduler == scheduler_ &&
      !is_broken_promise(error_)) {
    observed_ = true;
    // Outside coroutines, in a callback, the error is reported for the main coroutine.
    ControlBlock* running = scheduler->running();
    const bool in_coroutine = running && running->ops;
    scheduler->report_unhandled(in_coroutine ? *running : *scheduler->main(), error_, describe().c_str());
  }
  Event::dispose();
}

}  // namespace detail

}  // namespace trueasync
