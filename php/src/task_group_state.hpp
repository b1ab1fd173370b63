// The implementation of Async\TaskGroup and Async\TaskSet: the library's TaskGroupCore with PHP tasks. It is separate
// from the PHP object, which exists before its constructor has run.
//
// Ownership: owns the tasks, their results and the pending queries.
// Lifetime: owned by TaskObject, which exists until the last task has settled.
// Thread safety: the engine's thread only.
#pragma once

#include <memory>
#include <vector>

#include "coroutine.hpp"
#include "future.hpp"
#include "support/stored_call.hpp"
#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/detail/task_group_core.hpp"

namespace trueasync::php {

struct TaskGroupState;

// PhpTask: one task: its callable, later its outcome.
struct PhpTask final : detail::TaskRecord, detail::ListHook {
  PhpTask(TaskGroupState& owner, Value task_key) noexcept;
  ~PhpTask() override;
  void run() noexcept override;
  void fail(std::exception_ptr reason) noexcept override;
  std::exception_ptr error() const noexcept override;
  void report(GcBuffer& buffer) noexcept;

  TaskGroupState* group;
  Value key;  // int or string
  StoredCall call;
  Value outcome;  // the result or the exception
};

// TaskGroupQuery: a future whose result depends on the tasks of a group, such as that of TaskGroup::all().
class TaskGroupQuery : public detail::TaskWaiter, public detail::ListHook {
 public:
  TaskGroupQuery(TaskGroupState& group, SourceLocation location);
  ~TaskGroupQuery() override;
  // True: the future is settled or unreachable, so the query can be removed.
  bool try_resolve() noexcept final;
  // The Async\Future; the caller gets a reference.
  zend_object* future() noexcept;
  void report(GcBuffer& buffer) noexcept;

 protected:
  // Settles the future if the tasks determine its result. True: it is settled.
  virtual bool try_answer() noexcept = 0;
  void complete(Value value) noexcept { state().complete(std::move(value), location_); }
  void complete(zend_object* error) noexcept { state().fail(error, location_); }
  void complete_with(const PhpTask& task) noexcept;
  // Fails with all errors. If all of them are cancellations, the error needs no observer.
  void complete_with_errors() noexcept;
  TaskGroupState& group_;

 private:
  FutureStateObject& state() noexcept { return Class<FutureStateObject>::of(state_); }

  zend_object* state_;
  SourceLocation location_;
};

struct TaskGroupState {
  TaskGroupState(const TaskGroupOptions& options, Scope scope);
  ~TaskGroupState();

  // Starts or queues a task; suspends while the queue is full. A null key means the next free integer. Throws C++
  // exceptions.
  void spawn(zval* key, const zend_fcall_info& call, const zend_fcall_info_cache& cache, SourceLocation location);
  // A null reason means a default AsyncCancellation.
  void cancel(zend_object* requested_reason) noexcept;
  void report(GcBuffer& buffer) noexcept;

  std::size_t unfetched() const noexcept { return core.pending() + core.settled.size(); }
  bool has_error() const noexcept;
  bool has_failure() const noexcept;  // an error other than a cancellation
  // Successful results by key, in spawn order.
  Value results() noexcept;
  // Errors by key, in spawn order. Marks them as observed.
  Value errors() noexcept;
  // The errors as one CompositeException. Marks them as observed. The caller gets a reference.
  zend_object* composite() noexcept;
  // The unobserved failures as one exception, or null. Marks them as observed. The caller gets a reference.
  zend_object* take_unobserved() noexcept;
  void observe_all() noexcept;
  // Passes the finally() handlers to the library, which runs them. Called when the group is finished.
  void run_finally_handlers() noexcept;
  // Removes a settled task and frees its key.
  void remove(PhpTask& task) noexcept;
  void remove_settled() noexcept;

  static PhpTask& typed(detail::TaskRecord& record) noexcept { return static_cast<PhpTask&>(record); }

  // IdleEvent: fires when no task is pending. A subscriber added while no task is pending is notified immediately.
  class IdleEvent final : public Event {
   public:
    explicit IdleEvent(const detail::TaskGroupCore& core) noexcept : core_(core) {}
    void fire() noexcept { notify({}); }
    bool replay(Notification&) const noexcept override { return core_.pending() == 0; }
    std::string describe() const override { return "the tasks of a group"; }

   protected:
    void dispose() noexcept override {}  // a member of TaskGroupState

   private:
    const detail::TaskGroupCore& core_;
  };

  zend_object* owner = nullptr;                       // the PHP object; null after it was freed
  std::vector<std::shared_ptr<StoredCall>> handlers;  // of finally()
  Value reason;                                       // of the cancellation
  HashTable keys;                                     // the keys in use; the values are null
  detail::IntrusiveList<PhpTask> tasks;               // in spawn order
  detail::IntrusiveList<TaskGroupQuery> queries;
  IdleEvent idle{core};
  detail::TaskGroupCore core;  // declared last: its destructor waits for tasks, which use the other members
};

}  // namespace trueasync::php
