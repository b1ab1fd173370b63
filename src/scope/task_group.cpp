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
  task.fail(std::make_exception_ptr(Cancelled("a task of a group was cancelled before it started")));
}

std::size_t queue_room(const TaskGroupOptions& options) noexcept {
  if (options.concurrency == 0) return SIZE_MAX;
  return options.queue_limit == 0 ? 2 * options.concurrency : options.queue_limit;
}

}  // namespace

// The body of a task's coroutine. It settles the task even if it never starts.
struct TaskGroupCore::TaskRunner {
  TaskRunner(TaskGroupCore& group, std::unique_ptr<TaskRecord> started) noexcept
      : core(&group), task(std::move(started)) {}
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
    : limit_(options.concurrency == 0 ? SIZE_MAX : options.concurrency),
      queue_limit_(queue_room(options)),
      scope_(std::move(scope)),
      pin_(scope_, this) {}

TaskGroupCore::~TaskGroupCore() {
  cancel();
  Access::state(scope_).wait_for_end();
  if (!Access::state(scope_).is_on_owner_thread()) return;
  wait_for_callers();
  report_unobserved();
}

// Whoever was suspended in a call has been woken by now, and still looks at the group on its way out.
void TaskGroupCore::wait_for_callers() noexcept {
  Scheduler& scheduler = Access::state(scope_).scheduler();
  ControlBlock& self = *scheduler.running();
  ++self.protect_depth;
  const auto has_users = [this] { return room_.references() > 1 || changed_.references() > 1; };
  while (has_users()) scheduler.yield_slow(SourceLocation::current());
  --self.protect_depth;
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
  if (closed_ || scope_.is_closed()) throw MisuseError("spawn in a task group that is closed");
  task->number = next_number_++;
  task->location = location;
  const bool starts = running_ < limit_ && queue_.empty();
  if (!starts) queue_.push_back(std::move(task));
  ++pending_;
  ++spawned_;
  if (starts) return start(std::move(task));
  if (queue_.size() > queue_limit_) wait_for_room(*queue_.back(), options, location);
}

bool TaskGroupCore::is_admitted(std::size_t number) const noexcept {
  return queue_.size() <= queue_limit_ || number <= queue_[queue_limit_ - 1]->number;
}

// The task stands in its place already; if the spawner is cancelled it is taken out again. Between a cancellation and its
// delivery room may have come: then the task is spawned, and the cancellation comes at the next suspension.
void TaskGroupCore::wait_for_room(TaskRecord& task, WaitOptions options, SourceLocation location) {
  const std::size_t number = task.number;
  try {
    room_.wait(options, location, &task);
  } catch (...) {
    if (is_admitted(number)) return;
    remove_queued(number);
    throw;
  }
}

void TaskGroupCore::remove_queued(std::size_t number) noexcept {
  queue_.erase(std::lower_bound(queue_.begin(), queue_.end(), number,
                                [](const auto& task, std::size_t wanted) { return task->number < wanted; }));
  --spawned_;
  --pending_;
  notify_change();
}

void TaskGroupCore::start(std::unique_ptr<TaskRecord> task) noexcept {
  ++running_;
  const SourceLocation location = task->location;
  TaskRunner starter(*this, std::move(task));
  try {
    scope_.spawn(std::move(starter), location);
  } catch (...) {
    // No coroutine could be had: that is the task's result. In a scope that was closed meanwhile it is cancelled.
    std::unique_ptr<TaskRecord> failed = std::move(starter.task);
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
  while (running_ < limit_ && !queue_.empty()) {
    std::unique_ptr<TaskRecord> next = std::move(queue_.front());
    queue_.pop_front();
    if (queue_.size() >= queue_limit_) room_.wake_spawner_of(*queue_[queue_limit_ - 1]);
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
  // Those that have not started never do.
  auto queued = std::move(queue_);
  queue_.clear();
  room_.wake_all();
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
  if (is_finished()) run_finally();  // SC-10
}

void TaskGroupCore::run_finally() noexcept {
  if (!finally_.empty()) Access::state(scope_).run_finally(std::exchange(finally_, {}));
}

void TaskGroupCore::suppress_errors() noexcept { suppressed_ = true; }

void TaskGroupCore::wait_for_change(WaitOptions options, SourceLocation location) {
  wait_for_event(require_scheduler("await of a task group"), changed_, options, location);
}

void TaskGroupCore::await_completion(WaitOptions options, SourceLocation location) {
  options = with_fixed_deadline(options);
  while (pending_ != 0 || !closed_) wait_for_change(options, location);
  scope_.await_completion(options, location);
}

}  // namespace trueasync::detail
