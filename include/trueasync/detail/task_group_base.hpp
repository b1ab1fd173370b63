// TaskGroupBase: the typed part that TaskGroup and TaskSet share.
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "trueasync/cancel.hpp"
#include "trueasync/detail/task_group_core.hpp"
#include "trueasync/error.hpp"
#include "trueasync/scope/result.hpp"

namespace trueasync {

// TaskResult: the key and result of a task.
template <class Key, class T>
struct TaskResult {
  Key key;
  Result<T> result;
};

// TaskErrors: whether errors of tasks are thrown or left out.
enum class TaskErrors : std::uint8_t { fail, ignore };

namespace detail {

template <class T, class Key>
struct TypedTask : TaskRecord {
  explicit TypedTask(Key key) : entry{std::move(key), std::exception_ptr()} {}

  std::exception_ptr error() const noexcept override { return entry.result.error(); }
  void set(Result<T> result) noexcept {
    has_result = true;
    is_error = !result;
    std::destroy_at(&entry.result);  // Result need not be assignable
    std::construct_at(&entry.result, std::move(result));
  }

  TaskResult<Key, T> entry;
};

template <class T, class Key, class F>
struct TaskWithBody final : TypedTask<T, Key> {
  template <class G>
  TaskWithBody(Key key, G&& function) : TypedTask<T, Key>(std::move(key)), body(std::forward<G>(function)) {}

  void run() noexcept override {
    try {
      if constexpr (std::is_void_v<T>) {
        (*body)();
        this->set(std::monostate());
      } else {
        this->set((*body)());
      }
    } catch (const OperationCancelled&) {
      this->set(std::current_exception());  // an expired token is an error
    } catch (const Cancelled& cancelled) {
      this->is_cancelled = true;
      this->set(std::make_exception_ptr(Cancelled(cancelled.what())));
    } catch (...) {
      this->set(std::current_exception());
    }
    body.reset();
  }
  void fail(std::exception_ptr error) noexcept override {
    body.reset();
    this->set(std::move(error));
  }

  std::optional<F> body;
};

template <class T, class Key>
class TaskGroupBase {
 public:
  using Results = KeyedResults<Key, Stored<T>>;
  using Entry = TaskResult<Key, T>;

  // A group in a child of the current scope, or of `parent`.
  explicit TaskGroupBase(const TaskGroupOptions& options = {}) : core_(options, Scope::inherit()) {}
  TaskGroupBase(const TaskGroupOptions& options, const ScopeRef& parent) : core_(options, Scope::inherit(parent)) {}

  // Starts a task, or queues it while `concurrency` tasks run; suspends while the queue is full. The key is the task's
  // index. MisuseError if the group is closed. If `options` end the wait, the task was not added.
  template <std::invocable F>
  void spawn(F&& function, WaitOptions options = {},
             SourceLocation location = SourceLocation::current()) requires std::same_as<Key, std::size_t> {
    submit(core_.next_index(), std::forward<F>(function), options, location);
  }
  template <std::invocable F>
  void spawn_with_key(Key key, F&& function, WaitOptions options = {},
                      SourceLocation location = SourceLocation::current()) {
    submit(std::move(key), std::forward<F>(function), options, location);
  }

  // Rejects new tasks; existing tasks continue.
  void close() noexcept { core_.close(); }
  // Closes the group, requests cancellation of running tasks and removes queued tasks.
  void cancel() noexcept { core_.cancel(); }
  // cancel(), then waits until every task has finished.
  void dispose(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    core_.cancel();
    core_.await_completion(options, location);
  }
  // Runs `handler` in its own coroutine when the group is closed and every task has settled, immediately if so.
  void finally(std::function<void()> handler) { core_.add_finally(std::move(handler)); }
  // Unobserved errors do not propagate.
  void suppress_errors() noexcept { core_.suppress_errors(); }
  // Waits until the group is closed, every task has settled and the coroutines they spawned have finished.
  void await_completion(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    core_.await_completion(options, location);
  }

  bool is_closed() const noexcept { return core_.is_closed(); }
  bool is_finished() const noexcept { return core_.is_finished(); }  // closed and every task settled
  std::size_t running() const noexcept { return core_.running(); }
  std::size_t queued() const noexcept { return core_.queued(); }
  // The scope of the tasks: a child of the scope in which the group was created.
  Scope& scope() noexcept { return core_.scope(); }

 protected:
  using Task = TypedTask<T, Key>;

  ~TaskGroupBase() = default;

  static Task& typed(TaskRecord& record) noexcept { return static_cast<Task&>(record); }
  static bool is_error(const std::unique_ptr<TaskRecord>& record) noexcept { return record->is_error; }
  // The settled tasks in spawn order. Tasks usually settle in that order, so sorting is the exception.
  std::vector<Task*> in_order() {
    std::vector<Task*> tasks;
    tasks.reserve(core_.settled.size());
    for (auto& record : core_.settled) tasks.push_back(&typed(*record));
    const auto earlier = [](const Task* a, const Task* b) { return a->index < b->index; };
    if (!std::is_sorted(tasks.begin(), tasks.end(), earlier)) std::sort(tasks.begin(), tasks.end(), earlier);
    return tasks;
  }
  // All errors so far in spawn order; they count as observed.
  std::vector<std::exception_ptr> take_errors() {
    std::vector<std::exception_ptr> errors;
    if (!core_.has_failed()) return errors;
    for (Task* task : in_order()) {
      if (!task->is_error) continue;
      task->is_observed = true;
      errors.push_back(task->error());
    }
    return errors;
  }

  TaskGroupCore core_;

 private:
  template <class F>
  void submit(Key key, F&& function, WaitOptions options, SourceLocation location) {
    using Body = TaskWithBody<T, Key, std::decay_t<F>>;
    core_.submit(std::make_unique<Body>(std::move(key), std::forward<F>(function)), options, location);
  }
};

}  // namespace detail
}  // namespace trueasync
