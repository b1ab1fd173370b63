// The typed half of TaskGroup and TaskSet: spawning, ending, and the questions both answer.
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "trueasync/cancel.hpp"
#include "trueasync/composite_error.hpp"
#include "trueasync/detail/task_group_core.hpp"
#include "trueasync/error.hpp"
#include "trueasync/keyed.hpp"
#include "trueasync/result.hpp"

namespace trueasync {

// What a task of a group ended with.
template <class Key, class T>
struct TaskResult {
  Key key;
  Result<T> result;
};

enum class TaskErrors : std::uint8_t { fail, ignore };

namespace detail {

template <class T, class Key>
struct TypedTask : TaskRecord {
  explicit TypedTask(Key name, bool by_number) : key(std::move(name)), takes_number(by_number) {}

  void numbered() noexcept override {
    if constexpr (std::same_as<Key, std::size_t>) {
      if (takes_number) key = number;
    }
  }

  void fail(std::exception_ptr error) noexcept override { set(std::move(error)); }
  std::exception_ptr error() const noexcept override { return end ? end->result.error() : nullptr; }
  void set(Result<T> result) noexcept {
    has_result = true;
    end.emplace(TaskResult<Key, T>{std::move(key), std::move(result)});
  }

  Key key;
  bool takes_number;
  std::optional<TaskResult<Key, T>> end;
};

template <class T, class Key, class F>
struct TaskWithBody final : TypedTask<T, Key> {
  template <class G>
  TaskWithBody(Key name, bool by_number, G&& function)
      : TypedTask<T, Key>(std::move(name), by_number), body(std::forward<G>(function)) {}

  void run() noexcept override {
    try {
      if constexpr (std::is_void_v<T>) {
        (*body)();
        this->set(std::monostate());
      } else {
        this->set((*body)());
      }
    } catch (const OperationCancelled&) {
      this->set(std::current_exception());  // a token that ran out is a failure
    } catch (const Cancelled& cancelled) {
      this->is_cancelled = true;
      this->set(std::make_exception_ptr(Cancelled(cancelled.what(), nullptr)));
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
  // Starts a task, or queues it if as many as allowed are running; suspends while the queue is full. MisuseError when the
  // group is closed. The key is the task's number.
  template <std::invocable F>
  void spawn(F&& function, Place place = Place::here()) requires std::same_as<Key, std::size_t> {
    submit(0, true, std::forward<F>(function), place);
  }
  template <std::invocable F>
  void spawn_with_key(Key key, F&& function, Place place = Place::here()) {
    submit(std::move(key), false, std::forward<F>(function), place);
  }

  // No more tasks; those that are there go on.
  void close() noexcept { core_.close(); }
  // Closes it; what runs is asked to end, what is queued never starts.
  void cancel() noexcept { core_.cancel(); }
  // Cancels, and waits until everything has ended.
  void dispose(Place place = Place::here()) {
    core_.cancel();
    core_.await_completion(place);
  }
  // Called when it is closed and all tasks have settled; at once if that is so. In a coroutine of its own.
  void finally(std::function<void()> handler) { core_.add_finally(std::move(handler)); }
  // Errors that nobody is given are no matter.
  void suppress_errors() noexcept { core_.suppress_errors(); }
  // Waits until it is closed and all tasks have settled, and whatever they spawned has ended.
  void await_completion(Place place = Place::here()) { core_.await_completion(place); }

  bool is_closed() const noexcept { return core_.is_closed(); }
  bool is_finished() const noexcept { return core_.is_finished(); }  // closed and all settled (SC-11)
  std::size_t running() const noexcept { return core_.running(); }
  std::size_t queued() const noexcept { return core_.queued(); }
  // Where its tasks run: a child of the scope it was made in.
  Scope& scope() noexcept { return core_.scope(); }

 protected:
  using Task = TypedTask<T, Key>;

  TaskGroupBase(const TaskGroupOptions& options, Scope scope) : core_(options, std::move(scope)) {}
  ~TaskGroupBase() = default;

  static Task& typed(TaskRecord& record) noexcept { return static_cast<Task&>(record); }
  static bool is_error(const std::unique_ptr<TaskRecord>& record) noexcept { return record->error() != nullptr; }
  // The settled tasks in the order they were spawned.
  std::vector<Task*> in_order() {
    std::vector<Task*> tasks;
    tasks.reserve(core_.settled.size());
    for (auto& record : core_.settled) tasks.push_back(&typed(*record));
    std::sort(tasks.begin(), tasks.end(), [](Task* a, Task* b) { return a->number < b->number; });
    return tasks;
  }
  // All errors so far, in the order the tasks were spawned; they count as observed then.
  std::vector<std::exception_ptr> take_errors() {
    std::vector<std::exception_ptr> errors;
    for (Task* task : in_order()) {
      if (!task->error()) continue;
      task->is_observed = true;
      errors.push_back(task->error());
    }
    return errors;
  }

  TaskGroupCore core_;

 private:
  template <class F>
  void submit(Key key, bool by_number, F&& function, Place place) {
    using Body = TaskWithBody<T, Key, std::decay_t<F>>;
    core_.submit(std::make_unique<Body>(std::move(key), by_number, std::forward<F>(function)), place);
  }
};

}  // namespace detail
}  // namespace trueasync
