#include <algorithm>

#include "scheduler/api_support.hpp"
#include "scope/scope_state.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/detail/task_group_core.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

void cancel_unstarted(TaskRecord& task) noexcept {
  task.is_cancelled = true;
  task.fail(std::make_exception_ptr(Cancelled("the task was cancelled before it started")));
}

std::size_t effective_queue_limit(const TaskGroupOptions& options) noexcept {
  if (options.concurrency == 0) return SIZE_MAX;
  return options.queue_limit == 0 ? 2 * options.concurrency : options.queue_limit;
}

}  // namespace

// TaskRunner: the body of a task's coroutine. The destructor settles the task even if it never started.
struct TaskGroupCore::TaskRunner {
  TaskRunner(TaskGroupCore& group, std::unique_ptr<TaskRecord> record) noexcept
      : core(&group), task(std::move(record)) {}
  TaskRunner(TaskRunner&&) noexcept = default;
  ~TaskRunner() {
    if (!task) return;
    if (!task->has_result) cancel_unstarted(*task);
    --core->running_;
    core->settle(std::move(task));
    core->start_queued();
  }
  void operator()() { task->run(); }

  TaskGroupCore* core;
  std::unique_ptr<TaskRecord> task;
};

TaskGroupCore::TaskGroupCore(const TaskGroupOptions& options, Scope scope)
    : max_running_(options.concurrency == 0 ? SIZE_MAX : options.concurrency),
      queue_limit_(effective_queue_limit(options)),
      scope_(std::move(scope)),
      pin_(scope_, this) {}

TaskGroupCore::~TaskGroupCore() {
  cancel();
  Access::state(scope_).wait_for_end();
  if (!Access::state(scope_).is_on_owner_thread()) return;
  wait_for_callers();
  report_unobserved();
}

// cancel() has woken the coroutines that were suspended in a call of the group. They still use the group until they have
// returned from the call.
void TaskGroupCore::wait_for_callers() noexcept {
  Scheduler& scheduler = Access::state(scope_).scheduler();
  const CancellationShield shield;
  const auto has_callers = [this] { return queue_space_.references() > 1 || changed_.references() > 1; };
  while (has_callers()) scheduler.yield_slow(SourceLocation::current());
}

void TaskGroupCore::report_unobserved() noexcept {
  if (suppressed_ || !failed_) return;
  std::vector<std::exception_ptr> errors;
  for (auto& task : settled) {
    if (task->is_error && !task->is_observed && !task->is_cancelled) errors.push_back(task->error());
  }
  if (!errors.empty()) Access::state(scope_).report_to_parent(combine_errors(std::move(errors)));
}

void TaskGroupCore::submit(std::unique_ptr<TaskRecord> task, WaitOptions options, SourceLocation location) {
  if (closed_ || scope_.is_closed()) throw MisuseError("spawn: the task group is closed");
  task->index = next_index_++;
  task->location = location;
  const bool starts = running_ < max_running_ && queue_.empty();
  if (!starts) queue_.push_back(std::move(task));
  ++pending_;
  ++spawned_;
  if (starts) return start(std::move(task));
  if (queue_.size() > queue_limit_) wait_for_queue_space(*queue_.back(), options, location);
}

bool TaskGroupCore::is_admitted(std::size_t index) const noexcept {
  return queue_.size() <= queue_limit_ || index <= queue_[queue_limit_ - 1]->index;
}

// The task is queued already. If the spawner is interrupted, the task is removed again. If space became available before
// the interruption was delivered, the task stays spawned, and the interruption is delivered at the next suspension.
void TaskGroupCore::wait_for_queue_space(TaskRecord& task, WaitOptions options, SourceLocation location) {
  const std::size_t index = task.index;
  try {
    queue_space_.wait(options, location, &task);
  } catch (...) {
    if (is_admitted(index)) return;
    remove_queued(index);
    throw;
  }
}

void TaskGroupCore::remove_queued(std::size_t index) noexcept {
  queue_.erase(std::lower_bound(queue_.begin(), queue_.end(), index,
                                [](const auto& task, std::size_t value) { return task->index < value; }));
  --spawned_;
  --pending_;
  notify_change();
}

void TaskGroupCore::start(std::unique_ptr<TaskRecord> task) noexcept {
  ++running_;
  const SourceLocation location = task->location;
  TaskRunner runner(*this, std::move(task));
  try {
    scope_.spawn(std::move(runner), location);
  } catch (...) {
    // The spawn failed: its error is the task's result. If the scope was closed concurrently, the task is cancelled.
    std::unique_ptr<TaskRecord> failed = std::move(runner.task);
    --running_;
    if (scope_.is_closed()) {
      cancel_unstarted(*failed);
    } else {
      failed->fail(std::current_exception());
    }
    settle(std::move(failed));
  }
}

void TaskGroupCore::start_queued() noexcept {
  while (running_ < max_running_ && !queue_.empty()) {
    std::unique_ptr<TaskRecord> next = std::move(queue_.front());
    queue_.pop_front();
    if (queue_.size() >= queue_limit_) queue_space_.wake_spawner_of(*queue_[queue_limit_ - 1]);
    start(std::move(next));
  }
}

void TaskGroupCore::settle(std::unique_ptr<TaskRecord> task) noexcept {
  --pending_;
  failed_ |= task->is_error;
  settled.push_back(std::move(task));
  notify_change();
}

void TaskGroupCore::notify_change() noexcept {
  for (std::size_t i = 0; i < waiters_.size();) {
    if (!waiters_[i]->try_resolve()) {
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
  notify_change();
}

void TaskGroupCore::cancel() noexcept {
  close();
  auto queued = std::move(queue_);
  queue_.clear();
  queue_space_.wake_all();
  for (auto& task : queued) {
    cancel_unstarted(*task);
    settle(std::move(task));
  }
  scope_.cancel();
}

void TaskGroupCore::add_waiter(std::unique_ptr<TaskWaiter> waiter) {
  if (!waiter->try_resolve()) waiters_.push_back(std::move(waiter));
}

void TaskGroupCore::add_finally(std::function<void()> handler) {
  finally_.push_back(std::move(handler));
  if (is_finished()) run_finally();
}

void TaskGroupCore::run_finally() noexcept {
  if (!finally_.empty()) Access::state(scope_).run_finally(std::exchange(finally_, {}));
}

void TaskGroupCore::suppress_errors() noexcept { suppressed_ = true; }

void TaskGroupCore::wait_for_change(WaitOptions options, SourceLocation location) {
  wait_for_event(require_scheduler("await task group"), changed_, options, location);
}

void TaskGroupCore::await_completion(WaitOptions options, SourceLocation location) {
  options = with_fixed_deadline(options);
  while (pending_ != 0 || !closed_) wait_for_change(options, location);
  scope_.await_completion(options, location);
}

}  // namespace trueasync::detail
