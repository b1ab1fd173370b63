// What TaskGroup and TaskSet objects have in common.
#pragma once

#include <memory>

#include "support/library_call.hpp"
#include "support/source_location.hpp"
#include "task_group_state.hpp"

namespace trueasync::php {

struct TaskObject : AwaitableSource {
  ~TaskObject();
  void report(GcBuffer& buffer) noexcept;
  void on_destruct() noexcept;

  bool is_ready() noexcept final;
  Event* event() noexcept final;
  bool has_failed() noexcept final { return state && state->has_error(); }
  void cancel_source() noexcept final { cancel(nullptr); }

  // False: its constructor has not run, and EG(exception) says so.
  bool check() const noexcept;
  void cancel(zend_object* reason) noexcept {
    if (state) state->cancel(reason);
  }
  // Waits until something has changed; false: EG(exception) is set.
  bool wait_for_change() noexcept;

  std::unique_ptr<TaskGroupState> state;
};

// The methods that are the same in both.
void construct_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void spawn_task(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void spawn_task_with_key(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void cancel_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void await_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);
void finally_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self);

// [result, null] or [null, error].
Value result_pair(const PhpTask& task) noexcept;
// Asks it, and returns its future.
template <class Question, class... Arguments>
void return_query_future(zval* return_value, TaskObject& self, Arguments... arguments) {
  catch_to_php([&] {
    auto question = std::make_unique<Question>(*self.state, executing_location(), arguments...);
    ZVAL_OBJ(return_value, question->future());
    self.state->core.add_waiter(std::move(question));
  });
}

// With every result, or all errors. A set forgets them then.
enum class Delivery : std::uint8_t { keep, take };
class AllQuery final : public TaskGroupQuery {
 public:
  AllQuery(TaskGroupState& house, SourceLocation location, bool ignores, Delivery delivery)
      : TaskGroupQuery(house, location), ignores_errors_(ignores), delivery_(delivery) {}

 protected:
  bool try_answer() noexcept override;

 private:
  bool ignores_errors_;
  Delivery delivery_;
};

// With the first to settle, or the first to succeed.
enum class First : std::uint8_t { settled, succeeded };
class FirstQuery final : public TaskGroupQuery {
 public:
  FirstQuery(TaskGroupState& house, SourceLocation location, First first, Delivery delivery)
      : TaskGroupQuery(house, location), first_(first), delivery_(delivery) {}

 protected:
  bool try_answer() noexcept override;

 private:
  PhpTask* find() const noexcept;

  First first_;
  Delivery delivery_;
};

}  // namespace trueasync::php
