// Async\TaskSet: removes a task when its outcome is delivered.
extern "C" {
#include "ext/spl/spl_iterators.h"
}
#include "exceptions.hpp"
#include "generated/task_set_arginfo.h"
#include "interfaces.hpp"
#include "registration.hpp"
#include "support/foreach_iterator.hpp"
#include "task_object.hpp"

namespace trueasync::php {

namespace {

struct TaskSetObject final : TaskObject {
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool iterate(std::size_t& position, Value& key, Value& value) noexcept;
};

zend_object* TaskSetObject::take(const Notification&, zval* result) noexcept {
  zend_object* error = state->has_error() ? state->composite() : nullptr;
  if (!error) state->results().move_to(result);
  state->remove_settled();
  return error;
}

bool TaskSetObject::iterate(std::size_t&, Value& key, Value& value) noexcept {
  if (!check()) return false;
  while (state->core.settled.empty()) {
    if (state->core.is_finished() || !wait_for_change()) return false;
  }
  PhpTask& task = TaskGroupState::typed(*state->core.settled.front());
  key = task.key;
  value = result_pair(task);
  state->remove(task);
  return true;
}

}  // namespace

void register_task_set() {
  zend_class_entry* entry = register_class_Async_TaskSet(interfaces.awaitable, zend_ce_countable, zend_ce_aggregate);
  ForeachIterator<TaskSetObject>::setup(Class<TaskSetObject>::setup(entry));
}

}  // namespace trueasync::php

using namespace trueasync::php;

namespace {

TaskSetObject& this_set(zval* value) noexcept { return Class<TaskSetObject>::self(value); }

void return_first(zval* return_value, TaskSetObject& self, First first) {
  if (!self.check()) return;
  if (self.state->unfetched() == 0) return throw_exception(exceptions.async, empty_group_message(first));
  return_query_future<FirstQuery>(return_value, self, first, Delivery::take);
}

}  // namespace

ZEND_METHOD(Async_TaskSet, __construct) { construct_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_set(ZEND_THIS)); }

ZEND_METHOD(Async_TaskSet, spawn) { spawn_task(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_set(ZEND_THIS)); }

ZEND_METHOD(Async_TaskSet, spawnWithKey) { spawn_task_with_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_set(ZEND_THIS)); }

ZEND_METHOD(Async_TaskSet, joinAll) {
  bool ignores_errors = false;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_BOOL(ignores_errors)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_set(ZEND_THIS);
  if (self.check()) return_query_future<AllQuery>(return_value, self, ignores_errors, Delivery::take);
}

ZEND_METHOD(Async_TaskSet, joinNext) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_first(return_value, this_set(ZEND_THIS), First::settled);
}

ZEND_METHOD(Async_TaskSet, joinAny) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_first(return_value, this_set(ZEND_THIS), First::succeeded);
}

ZEND_METHOD(Async_TaskSet, cancel) { cancel_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_set(ZEND_THIS)); }

ZEND_METHOD(Async_TaskSet, close) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_set(ZEND_THIS);
  if (self.check()) self.state->core.close();
}

ZEND_METHOD(Async_TaskSet, dispose) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_set(ZEND_THIS);
  if (self.check()) self.cancel(nullptr);
}

ZEND_METHOD(Async_TaskSet, isFinished) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_set(ZEND_THIS);
  if (self.check()) RETURN_BOOL(self.state->core.pending() == 0);
}

ZEND_METHOD(Async_TaskSet, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_set(ZEND_THIS);
  if (self.check()) RETURN_BOOL(self.state->core.is_closed());
}

ZEND_METHOD(Async_TaskSet, count) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_set(ZEND_THIS);
  if (self.check()) RETURN_LONG(static_cast<zend_long>(self.state->unfetched()));
}

ZEND_METHOD(Async_TaskSet, awaitCompletion) { await_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_set(ZEND_THIS)); }

ZEND_METHOD(Async_TaskSet, finally) { finally_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_set(ZEND_THIS)); }

ZEND_METHOD(Async_TaskSet, getIterator) {
  ZEND_PARSE_PARAMETERS_NONE();
  zend_create_internal_iterator_zval(return_value, ZEND_THIS);
}
