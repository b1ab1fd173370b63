// TaskGroupCore: the untyped part that TaskGroup and TaskSet share. It starts tasks up to the concurrency limit, queues
// the rest, keeps settled tasks and closes the group.
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/scope/scope.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// TaskGroupOptions: options of TaskGroup and TaskSet.
struct TaskGroupOptions {
  std::size_t concurrency = 0;  // tasks at a time; 0: no limit
  // Tasks that may be queued, without a coroutine, before spawn() suspends; 0: twice the concurrency.
  std::size_t queue_limit = 0;
};

namespace detail {

// TaskRecord: a task of a group: its closure, later its result.
struct TaskRecord {
  virtual ~TaskRecord() = default;
  virtual void run() noexcept = 0;
  virtual void fail(std::exception_ptr error) noexcept = 0;
  virtual std::exception_ptr error() const noexcept = 0;  // null: a value, or no result yet

  std::size_t index = 0;  // position in spawn order
  SourceLocation location;
  bool has_result = false;
  bool is_error = false;      // the result is an error or a cancellation
  bool is_observed = false;   // the error reached an awaiter
  bool is_cancelled = false;  // not an error that must be observed
};

// TaskWaiter: a future that depends on the tasks of a group. try_resolve() is called whenever a task settles or the
// group is closed; the waiter is removed when it returns true.
struct TaskWaiter {
  virtual ~TaskWaiter() = default;
  virtual bool try_resolve() noexcept = 0;
};

class TRUEASYNC_EXPORT TaskGroupCore final : private ScopeListener {
 public:
  explicit TaskGroupCore(const TaskGroupOptions& options, Scope scope);
  // Cancels running tasks and waits for them; unobserved errors propagate to the surrounding scope.
  ~TaskGroupCore();
  TaskGroupCore(const TaskGroupCore&) = delete;
  TaskGroupCore& operator=(const TaskGroupCore&) = delete;

  // The index of the next task.
  std::size_t next_index() const noexcept { return next_index_; }
  // Starts or queues a task of spawn(). Suspends while the queue is full. MisuseError if the group is closed.
  void submit(std::unique_ptr<TaskRecord> task, WaitOptions options, SourceLocation location);
  void close() noexcept;
  void cancel() noexcept;
  void add_waiter(std::unique_ptr<TaskWaiter> waiter);
  void add_finally(std::function<void()> handler);
  void suppress_errors() noexcept;
  // Suspends until a task settles, a queued task is removed or the group is closed.
  void wait_for_change(WaitOptions options, SourceLocation location);
  void await_completion(WaitOptions options, SourceLocation location);

  bool is_closed() const noexcept { return closed_; }  // by close(), or because its scope was cancelled
  bool is_finished() const noexcept { return closed_ && pending_ == 0; }
  std::size_t pending() const noexcept { return pending_; }
  std::size_t running() const noexcept { return running_; }
  // Without the tasks whose spawners still wait for space in the queue.
  std::size_t queued() const noexcept { return queue_.size() < queue_limit_ ? queue_.size() : queue_limit_; }
  std::size_t spawned() const noexcept { return spawned_; }
  bool has_failed() const noexcept { return failed_; }  // a task of this group has failed, now or earlier
  Scope& scope() noexcept { return scope_; }
  // For inspecting the coroutines that wait for a change.
  const Event& change() const noexcept { return changed_; }

  // In the order of settling; TaskSet removes them.
  std::deque<std::unique_ptr<TaskRecord>> settled;

 private:
  struct TaskRunner;
  class ChangeEvent final : public Event {
   public:
    void fire() noexcept {
      if (has_subscribers()) notify({});
    }
    std::string describe() const override { return "a task of a group"; }

   protected:
    void dispose() noexcept override {}  // a member of the group
  };
  // QueueSpace: the spawners that wait for space in the queue. A grant is not reclaimed from a cancelled spawner, because
  // its task may have started.
  class QueueSpace final : public WaitQueue {
   public:
    QueueSpace() noexcept : WaitQueue("space in the queue of a task group") {}
    bool reclaim(Subscription&) noexcept override { return false; }
    // No effect if the spawner of `task` no longer waits.
    void wake_spawner_of(const TaskRecord& task) noexcept {
      if (!empty() && waiters().front()->owner == &task) wake_one();
    }
  };

  void on_cancelled() noexcept override { cancel(); }
  bool is_admitted(std::size_t index) const noexcept;
  void wait_for_queue_space(TaskRecord& task, WaitOptions options, SourceLocation location);
  void remove_queued(std::size_t index) noexcept;
  void start_queued() noexcept;
  void start(std::unique_ptr<TaskRecord> task) noexcept;
  void settle(std::unique_ptr<TaskRecord> task) noexcept;
  void notify_change() noexcept;
  void run_finally() noexcept;
  void wait_for_callers() noexcept;
  void report_unobserved() noexcept;

  std::size_t max_running_;
  std::size_t queue_limit_;
  Scope scope_;
  ScopePin pin_;  // declared after the scope, destroyed before it
  // FIFO order. The spawners of entries beyond queue_limit_ are suspended.
  std::deque<std::unique_ptr<TaskRecord>> queue_;
  std::vector<std::unique_ptr<TaskWaiter>> waiters_;
  std::vector<std::function<void()>> finally_;
  ChangeEvent changed_;
  QueueSpace queue_space_;
  std::size_t pending_ = 0;  // spawned and not settled
  std::size_t running_ = 0;
  std::size_t spawned_ = 0;
  std::size_t next_index_ = 0;  // not decremented, unlike spawned_, when a queued task is removed
  bool closed_ = false;
  bool failed_ = false;
  bool suppressed_ = false;
};

}  // namespace detail
}  // namespace trueasync
