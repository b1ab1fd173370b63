// The common part of Async\TaskGroup and Async\TaskSet.
#pragma once

#include <memory>

#include "support/library_call.hpp"
#include "support/source_location.hpp"
#include "task_group_state.hpp"

namespace trueasync::php {

// TaskObject: the base of both PHP objects. Awaiting it waits until no task is pending.
//
// Lifetime: if tasks are pending when the PHP object is released, they are cancelled and it stays alive until they
// have settled.
struct TaskObject : AwaitableSource {
  ~TaskObject();
  void report(GcBuffer& buffer) noexcept;
  void on_destruct() noexcept;

  bool is_ready() noexcept final;
  Event* event() noexcept final;
  bool has_failed() noexcept final { return state && state->has_error(); }
  void cancel_source() noexcept final { cancel(nullptr); }

  // Returns false if the constructor has not run; EG(exception) is then set.
  bool check() const noexcept;
  void cancel(zend_object* reason) noexcept {
    if (state) state->cancel(reason);
  }
  // Waits until a task settles or the group is closed. Returns false if EG(exception) is set.
  bool wait_for_change() noexcept;

  std::unique_ptr<TaskGroupState> state;  // null before the constructor
};

// The methods that both classes have.
void construct_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void spawn_task(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void spawn_task_with_key(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void cancel_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void await_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void finally_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);

// [result, null] or [null, error], as iteration yields it.
Value result_pair(const PhpTask& task) noexcept;
// Adds a query and returns its future.
template <class Query, class... Arguments>
void return_query_future(zval* return_value, TaskObject& self, Arguments... arguments) {
  catch_to_php([&] {
    auto query = std::make_unique<Query>(*self.state, executing_location(), arguments...);
    ZVAL_OBJ(return_value, query->future());
    self.state->core.add_waiter(std::move(query));
  });
}

// Whether a query removes the tasks whose outcome it delivers: a TaskGroup keeps them, a TaskSet takes them.
enum class Delivery : std::uint8_t { keep, take };

// AllQuery: completes with all results, or fails with all errors, when no task is pending.
class AllQuery final : public TaskGroupQuery {
 public:
  AllQuery(TaskGroupState& group, SourceLocation location, bool ignores_errors, Delivery delivery)
      : TaskGroupQuery(group, location), ignores_errors_(ignores_errors), delivery_(delivery) {}

 protected:
  bool try_answer() noexcept override;

 private:
  bool ignores_errors_;
  Delivery delivery_;
};

// FirstQuery: completes with the first task that settles, or with the first that succeeds. Fails with all errors if
// every task has failed.
enum class First : std::uint8_t { settled, succeeded };
// The message for a group without tasks. Programs compare it; a TaskSet has the same as a TaskGroup.
const char* empty_group_message(First first) noexcept;
class FirstQuery final : public TaskGroupQuery {
 public:
  FirstQuery(TaskGroupState& group, SourceLocation location, First first, Delivery delivery)
      : TaskGroupQuery(group, location), first_(first), delivery_(delivery) {}

 protected:
  bool try_answer() noexcept override;

 private:
  PhpTask* find() const noexcept;  // null: none yet

  First first_;
  Delivery delivery_;
};

}  // namespace trueasync::php
