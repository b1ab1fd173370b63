#include <algorithm>

#include "base/check.hpp"
#include "scheduler/face.hpp"
#include "scope/scope_state.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/detail/task_group_core.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

void never_start(TaskRecord& task) noexcept {
  task.is_cancelled = true;
  task.fail(std::make_exception_ptr(Cancelled("a task of a group was cancelled before it started", nullptr)));
}

std::size_t queue_room(const TaskGroupOptions& options) noexcept {
  if (options.concurrency == 0) return SIZE_MAX;
  return options.queue_limit == 0 ? 2 * options.concurrency : options.queue_limit;
}

}  // namespace

// The body of a task's coroutine. It settles the task even if it never starts.
struct TaskGroupCore::Starter {
  Starter(TaskGroupCore& group, std::unique_ptr<TaskRecord> started) noexcept
      : core(&group), task(std::move(started)) {}
  Starter(Starter&&) noexcept = default;
  ~Starter() {
    if (!task) return;
    if (!task->has_result) never_start(*task);
    --core->running_;
    core->settle(std::move(task));
    core->start_queued();
  }
  void operator()() { task->run(); }

  TaskGroupCore* core;
  std::unique_ptr<TaskRecord> task;
};

TaskGroupCore::TaskGroupCore(const TaskGroupOptions& options, Scope scope)
    : limit_(options.concurrency == 0 ? SIZE_MAX : options.concurrency),
      queue_limit_(queue_room(options)),
      scope_(std::move(scope)),
      pin_(scope_) {}

TaskGroupCore::~TaskGroupCore() {
  cancel();
  wait_for_end();
  TRUEASYNC_CHECK(pending_ == 0, "a task group dies before its tasks");
  report_unobserved();
}

void TaskGroupCore::wait_for_end() noexcept {
  ScopeState& state = scope_.state();
  if (state.is_settled()) return;
  Scheduler& scheduler = state.scheduler();
  TRUEASYNC_CHECK(Scheduler::current() == &scheduler, "a task group dies on another thread than its runtime's");
  ControlBlock& self = *scheduler.running();
  ++self.protect_depth;
  // Only a forced end refuses the wait; then everybody below is on the way out as well.
  while (!state.is_settled()) {
    WaitEntry entry(state.settled());
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    scheduler.wait(request, Place::here());
  }
  --self.protect_depth;
}

void TaskGroupCore::report_unobserved() noexcept {
  if (suppressed_) return;
  std::vector<std::exception_ptr> errors;
  for (auto& task : settled) {
    if (!task->is_observed && !task->is_cancelled && task->error()) errors.push_back(task->error());
  }
  if (errors.empty()) return;
  Scheduler& scheduler = scope_.state().scheduler();
  scheduler.report_unhandled(*scheduler.running(), composed(std::move(errors)));
}

void TaskGroupCore::submit(std::unique_ptr<TaskRecord> task, Place place) {
  if (closed_ || scope_.is_closed()) throw MisuseError("spawn in a task group that is closed");
  const std::size_t number = next_number_++;
  task->number = number;
  task->place = place;
  task->numbered();
  ++pending_;
  ++spawned_;
  if (running_ < limit_ && queue_.empty()) return start(std::move(task));
  queue_.push_back(std::move(task));
  if (!is_admitted(number)) wait_for_room(number, place);
}

bool TaskGroupCore::is_admitted(std::size_t number) const noexcept {
  return queue_.size() <= queue_limit_ || number <= queue_[queue_limit_ - 1]->number;
}

// The task stands in its place already; if the spawner is cancelled it is taken out again.
void TaskGroupCore::wait_for_room(std::size_t number, Place place) {
  Scheduler& scheduler = this_scheduler("spawn in a task group");
  while (!is_admitted(number)) {
    WaitEntry entry(room_);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    const WakeReason reason = scheduler.wait(request, place);
    if (reason == WakeReason::event) continue;
    // Between a cancellation and its delivery room may have come: then the task is spawned, and the cancellation waits.
    if (is_admitted(number)) return;
    withdraw(number);
    raise_unless_well(scheduler, reason, &request);
  }
}

void TaskGroupCore::withdraw(std::size_t number) noexcept {
  const auto place = std::find_if(queue_.begin(), queue_.end(), [=](auto& task) { return task->number == number; });
  queue_.erase(place);
  --spawned_;
  --pending_;
  room_.fire();
  tell();
}

void TaskGroupCore::start(std::unique_ptr<TaskRecord> task) noexcept {
  ++running_;
  const Place place = task->place;
  Starter starter(*this, std::move(task));
  try {
    scope_.spawn(std::move(starter), place);
  } catch (...) {
    // No coroutine could be had: that is the task's result. In a scope that was closed meanwhile it is cancelled.
    std::unique_ptr<TaskRecord> failed = std::move(starter.task);
    --running_;
    if (scope_.is_closed()) {
      never_start(*failed);
    } else {
      failed->fail(std::current_exception());
    }
    settle(std::move(failed));
  }
}

void TaskGroupCore::start_queued() noexcept {
  while (running_ < limit_ && !queue_.empty()) {
    std::unique_ptr<TaskRecord> next = std::move(queue_.front());
    queue_.pop_front();
    room_.fire();
    start(std::move(next));
  }
}

void TaskGroupCore::settle(std::unique_ptr<TaskRecord> task) noexcept {
  --pending_;
  settled.push_back(std::move(task));
  tell();
}

void TaskGroupCore::tell() noexcept {
  for (std::size_t i = 0; i < waiters_.size();) {
    if (!waiters_[i]->resolve()) {
      ++i;
      continue;
    }
    waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  changed_.fire();
  if (is_finished()) run_finally();
}

void TaskGroupCore::close() noexcept {
  if (closed_) return;
  closed_ = true;
  tell();
}

void TaskGroupCore::cancel() noexcept {
  close();
  // Those that have not started never do.
  auto queued = std::move(queue_);
  queue_.clear();
  room_.fire();
  for (auto& task : queued) {
    never_start(*task);
    settle(std::move(task));
  }
  scope_.cancel();
}

void TaskGroupCore::add_waiter(std::unique_ptr<TaskWaiter> waiter) {
  if (!waiter->resolve()) waiters_.push_back(std::move(waiter));
}

void TaskGroupCore::add_finally(std::function<void()> handler) {
  finally_.push_back(std::move(handler));
  if (is_finished()) run_finally();  // SC-10
}

// In a coroutine of the surrounding scope, so that handlers may suspend and their errors have somewhere to go.
void TaskGroupCore::run_finally() noexcept {
  if (finally_.empty()) return;
  auto body = [handlers = std::exchange(finally_, {})] {
    std::vector<std::exception_ptr> errors;
    for (const auto& handler : handlers) {
      try {
        handler();
      } catch (...) {
        errors.push_back(std::current_exception());
      }
    }
    if (auto error = composed(std::move(errors))) std::rethrow_exception(error);
  };
  auto parent = scope_.parent();
  try {
    (parent && !parent->is_closed() ? *parent : Scope::root()).spawn(std::move(body));
  } catch (...) {
    Scheduler& scheduler = scope_.state().scheduler();
    scheduler.report_unhandled(*scheduler.running(), std::current_exception(), "the end of a task group");
  }
}

void TaskGroupCore::suppress_errors() noexcept { suppressed_ = true; }

void TaskGroupCore::wait_for_change(Event* token, Place place) {
  Scheduler& scheduler = this_scheduler("await of a task group");
  WaitEntry entries[2] = {WaitEntry(changed_), WaitEntry()};
  if (token) {
    entries[1].event = token;
    entries[1].is_token = true;
  }
  WaitRequest request;
  request.entries = std::span(entries, token ? 2 : 1);
  raise_unless_well(scheduler, scheduler.wait(request, place), &request);
}

void TaskGroupCore::await_completion(Place place) {
  while (pending_ != 0 || !closed_) wait_for_change(nullptr, place);
  scope_.await_completion(place);
}

}  // namespace trueasync::detail
