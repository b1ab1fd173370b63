// Async\TaskGroup: keeps the outcomes of its tasks, so a query gives the same result each time.
extern "C" {
#include "ext/spl/spl_iterators.h"
}
#include "exceptions.hpp"
#include "generated/task_group_arginfo.h"
#include "interfaces.hpp"
#include "registration.hpp"
#include "support/foreach_iterator.hpp"
#include "task_object.hpp"

namespace trueasync::php {

namespace {

struct TaskGroupObject final : TaskObject {
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool iterate(std::size_t& position, Value& key, Value& value) noexcept;
};

zend_object* TaskGroupObject::take(const Notification&, zval* result) noexcept {
  if (state->has_error()) return state->composite();
  state->results().move_to(result);
  return nullptr;
}

bool TaskGroupObject::iterate(std::size_t& position, Value& key, Value& value) noexcept {
  if (!check()) return false;
  while (position >= state->core.settled.size()) {
    if (state->core.is_finished() || !wait_for_change()) return false;
  }
  PhpTask& task = TaskGroupState::typed(*state->core.settled[position++]);
  task.is_observed = true;
  key = task.key;
  value = result_pair(task);
  return true;
}

}  // namespace

void register_task_group() {
  zend_class_entry* entry = register_class_Async_TaskGroup(interfaces.awaitable, zend_ce_countable, zend_ce_aggregate);
  ForeachIterator<TaskGroupObject>::setup(Class<TaskGroupObject>::setup(entry));
}

}  // namespace trueasync::php

using namespace trueasync::php;

namespace {

TaskGroupObject& this_group(zval* value) noexcept { return Class<TaskGroupObject>::self(value); }

void return_first(zval* return_value, TaskGroupObject& self, First first) {
  if (!self.check()) return;
  if (self.state->core.spawned() == 0) return throw_exception(exceptions.async, empty_group_message(first));
  return_query_future<FirstQuery>(return_value, self, first, Delivery::keep);
}

}  // namespace

ZEND_METHOD(Async_TaskGroup, __construct) { construct_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_group(ZEND_THIS)); }

ZEND_METHOD(Async_TaskGroup, spawn) { spawn_task(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_group(ZEND_THIS)); }

ZEND_METHOD(Async_TaskGroup, spawnWithKey) {
  spawn_task_with_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_group(ZEND_THIS));
}

ZEND_METHOD(Async_TaskGroup, all) {
  bool ignores_errors = false;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_BOOL(ignores_errors)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) return_query_future<AllQuery>(return_value, self, ignores_errors, Delivery::keep);
}

ZEND_METHOD(Async_TaskGroup, race) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_first(return_value, this_group(ZEND_THIS), First::settled);
}

ZEND_METHOD(Async_TaskGroup, any) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_first(return_value, this_group(ZEND_THIS), First::succeeded);
}

ZEND_METHOD(Async_TaskGroup, getResults) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) self.state->results().move_to(return_value);
}

ZEND_METHOD(Async_TaskGroup, getErrors) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) self.state->errors().move_to(return_value);
}

ZEND_METHOD(Async_TaskGroup, suppressErrors) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) self.state->observe_all();
}

ZEND_METHOD(Async_TaskGroup, cancel) { cancel_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_group(ZEND_THIS)); }

ZEND_METHOD(Async_TaskGroup, close) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) self.state->core.close();
}

ZEND_METHOD(Async_TaskGroup, dispose) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) self.cancel(nullptr);
}

ZEND_METHOD(Async_TaskGroup, isFinished) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) RETURN_BOOL(self.state->core.pending() == 0);
}

ZEND_METHOD(Async_TaskGroup, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) RETURN_BOOL(self.state->core.is_closed());
}

ZEND_METHOD(Async_TaskGroup, count) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_group(ZEND_THIS);
  if (self.check()) RETURN_LONG(static_cast<zend_long>(self.state->core.spawned()));
}

ZEND_METHOD(Async_TaskGroup, awaitCompletion) { await_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_group(ZEND_THIS)); }

ZEND_METHOD(Async_TaskGroup, finally) { finally_tasks(INTERNAL_FUNCTION_PARAM_PASSTHRU, this_group(ZEND_THIS)); }

ZEND_METHOD(Async_TaskGroup, getIterator) {
  ZEND_PARSE_PARAMETERS_NONE();
  zend_create_internal_iterator_zval(return_value, ZEND_THIS);
}
