// What stands behind Async\TaskGroup and Async\TaskSet: the library's core of a group, with PHP tasks in it. It is an
// object of its own because the PHP object exists before its constructor has run.
//
// Owns: tasks, results, the futures that wait. Lifetime: TaskObject's, which lives until the last task has ended. Threads: the engine's.
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

// One task: what to call, later what it ended with.
struct PhpTask final : detail::TaskRecord, detail::ListHook {
  PhpTask(TaskGroupState& in, Value name) noexcept;
  ~PhpTask() override;
  void run() noexcept override;
  void fail(std::exception_ptr reason) noexcept override;
  std::exception_ptr error() const noexcept override;
  void report(GcBuffer& buffer) noexcept;

  TaskGroupState* group;
  Value key;
  StoredCall call;
  Value outcome;  // the result, or the error
};

// A future that a question to the group is answered with.
class TaskGroupQuery : public detail::TaskWaiter, public detail::ListHook {
 public:
  TaskGroupQuery(TaskGroupState& house, SourceLocation location);
  ~TaskGroupQuery() override;
  // Asks, until there is an answer. It is not asked any more when nobody can want the answer.
  bool try_resolve() noexcept final;
  // The Future; the caller gets the reference.
  zend_object* future() noexcept;
  void report(GcBuffer& buffer) noexcept;

 protected:
  // True: it has been answered.
  virtual bool try_answer() noexcept = 0;
  void complete(Value value) noexcept { state().complete(std::move(value), location_); }
  void complete(zend_object* error) noexcept { state().fail(error, location_); }
  // With all errors. That tasks were cancelled need not be told to anybody.
  void answer_with_errors() noexcept;
  void answer_with(const PhpTask& task) noexcept;
  TaskGroupState& house_;

 private:
  FutureStateObject& state() noexcept { return Class<FutureStateObject>::of(state_); }

  zend_object* state_;
  SourceLocation location_;
};

struct TaskGroupState {
  TaskGroupState(const TaskGroupOptions& options, Scope scope);
  ~TaskGroupState();

  // Queues or starts it; may suspend. Throws.
  void spawn(zval* key, const zend_fcall_info& call, const zend_fcall_info_cache& cache, SourceLocation location);
  void cancel(zend_object* because) noexcept;
  void report(GcBuffer& buffer) noexcept;

  std::size_t unfetched() const noexcept { return core.pending() + core.settled.size(); }
  bool has_error() const noexcept;
  bool has_failure() const noexcept;  // an error that is no cancellation
  // The successes, in the order of spawning.
  Value results() noexcept;
  // All errors by key; they count as observed then.
  Value errors() noexcept;
  // The same as one exception. With a reference for the caller.
  zend_object* composite() noexcept;
  // What nobody was given; null: nothing. With a reference for the caller.
  zend_object* take_unobserved() noexcept;
  void observe_all() noexcept;
  // Hands the handlers of finally() over to the library, once everything has ended.
  void run_finally_handlers() noexcept;
  // A settled one that is not wanted here any more.
  void forget(PhpTask& task) noexcept;
  void forget_settled() noexcept;

  static PhpTask& typed(detail::TaskRecord& record) noexcept { return static_cast<PhpTask&>(record); }

  // Fires when no task is pending, and has fired for whoever comes while that is so.
  class IdleEvent final : public Event {
   public:
    explicit IdleEvent(const detail::TaskGroupCore& core) noexcept : core_(core) {}
    void fire() noexcept { notify({}); }
    bool replay(Notification&) const noexcept override { return core_.pending() == 0; }
    std::string describe() const override { return "the tasks of a group"; }

   protected:
    void dispose() noexcept override {}  // a part of the house

   private:
    const detail::TaskGroupCore& core_;
  };

  zend_object* owner = nullptr;                       // the PHP object, while it is there
  std::vector<std::shared_ptr<StoredCall>> handlers;  // of finally()
  Value reason;                                       // of the cancellation
  HashTable keys;
  detail::IntrusiveList<PhpTask> tasks;  // in the order of spawning
  detail::IntrusiveList<TaskGroupQuery> queries;
  IdleEvent quiet{core};
  detail::TaskGroupCore core;  // goes first
};

}  // namespace trueasync::php
