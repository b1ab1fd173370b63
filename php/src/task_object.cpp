#include "task_object.hpp"

#include "engine/library_coroutine.hpp"
#include "exceptions.hpp"
#include "scope.hpp"
#include "scope/lazy_scope.hpp"
#include "support/arguments.hpp"
#include "support/source_location.hpp"
#include "support/waiters.hpp"
#include "trueasync/task.hpp"

namespace trueasync::php {

namespace {

// GroupFinisher: the body of a coroutine that keeps the group object alive until its tasks have settled. It releases
// the object inside run_php_code(), because that may run PHP destructors.
struct GroupFinisher {
  void operator()() {
    std::exception_ptr error;
    engine::run_php_code([&] {
      try {
        self->state->core.await_completion({}, location);
      } catch (...) {
        error = std::current_exception();
      }
      object.reset();
    });
    if (error) std::rethrow_exception(error);
  }
  TaskObject* self;
  Value object;
  SourceLocation location;
};

// Cancelling the group's parent scope closes the group and thereby wakes its waiters. A waiter is garbage only if the
// same cancellation would end it too.
bool is_cancelled_with(const detail::ScopeState& parent, const detail::ControlBlock& waiter) noexcept {
  if (parent.is_root()) return true;
  const detail::ScopeState* scope = detail::LazyScope::existing_scope_of(waiter.owner);
  return scope && parent.is_ancestor_of(*scope);
}

}  // namespace

TaskObject::~TaskObject() {
  if (!state) return;
  state->owner = nullptr;
  // on_destruct() did not run, or a fatal error ended the request: the tasks never settle. Abandon the state.
  const bool is_stuck = state->core.pending() != 0 || is_engine_dead();
  if (is_stuck) (void)state.release();
}

void TaskObject::report(GcBuffer& buffer) noexcept {
  if (!state) return;
  state->report(buffer);
  // A pending task wakes the waiters.
  if (state->core.pending() != 0) return;
  const detail::ScopeState& parent = *detail::Access::state(state->core.scope()).parent();
  state->core.change().for_each_subscriber([&](const Subscription& subscription) {
    const detail::Waker* waker = detail::Waker::from_subscription(subscription);
    if (!waker) return;
    if (is_cancelled_with(parent, *static_cast<const detail::ControlBlock*>(waker))) report_waiter(buffer, waker);
  });
}

// Cancels pending tasks; the object stays alive until they have settled. Throws errors that are unobserved now. Later
// errors propagate to the group's parent scope.
void TaskObject::on_destruct() noexcept {
  if (!state || !engine::scheduler || is_engine_dead()) return;
  if (state->core.pending() != 0) state->cancel(nullptr);
  if (state->core.pending() != 0 || !state->core.scope().is_finished()) {
    catch_to_php([&] {
      state->core.close();
      GroupFinisher finisher{this, Value(state->owner), executing_location()};
      detail::spawn_in(&detail::detached_owner(), {.name = "close task group"}, std::move(finisher),
                       SourceLocation::current());
    });
  }
  if (!EG(current_execute_data)) return;
  if (zend_object* error = state->take_unobserved()) throw_exception(error);
}

bool TaskObject::check() const noexcept {
  if (state) return true;
  zend_throw_error(nullptr, "Cannot use a task group whose constructor was not called");
  return false;
}

bool TaskObject::is_ready() noexcept { return state && state->core.pending() == 0; }

Event* TaskObject::event() noexcept { return check() ? &state->idle : nullptr; }

bool TaskObject::wait_for_change() noexcept {
  catch_to_php_with_bailout([&] { state->core.wait_for_change({}, executing_location()); });
  return !EG(exception);
}

Value result_pair(const PhpTask& task) noexcept {
  zval pair;
  zval part;
  array_init_size(&pair, 2);
  if (task.is_error) add_next_index_null(&pair);
  if (task.outcome) {
    task.outcome.copy_to(&part);
    add_next_index_zval(&pair, &part);
  } else {
    add_next_index_null(&pair);
  }
  if (!task.is_error) add_next_index_null(&pair);
  return Value::adopt(&pair);
}

bool AllQuery::try_answer() noexcept {
  if (group_.core.pending() != 0) return false;
  if (!ignores_errors_ && group_.has_error()) {
    complete_with_errors();
  } else {
    complete(group_.results());
  }
  if (delivery_ == Delivery::take) group_.remove_settled();
  return true;
}

PhpTask* FirstQuery::find() const noexcept {
  for (const auto& task : group_.core.settled) {
    if (first_ == First::settled || !task->is_error) return &TaskGroupState::typed(*task);
  }
  return nullptr;
}

bool FirstQuery::try_answer() noexcept {
  if (PhpTask* found = find()) {
    found->is_observed = true;
    complete_with(*found);
    if (delivery_ == Delivery::take) group_.remove(*found);
    return true;
  }
  if (group_.core.pending() != 0) return false;
  if (group_.has_error()) {  // every task has failed
    complete_with_errors();
    if (delivery_ == Delivery::take) group_.remove_settled();
    return true;
  }
  if (!group_.core.is_closed()) return false;
  complete(make_exception(exceptions.async, empty_group_message(first_)));
  return true;
}

const char* empty_group_message(First first) noexcept {
  return first == First::settled ? "Cannot race on an empty TaskGroup" : "Cannot call any() on an empty TaskGroup";
}

namespace {

// Returns false if EG(exception) is set.
bool check_limit(uint32_t argument_number, zend_long value, bool is_null) noexcept {
  if (is_null || value >= 0) return true;
  zend_argument_value_error(argument_number, "must be greater than or equal to 0");
  return false;
}

void spawn_in(TaskObject& self, zval* key, zend_fcall_info& call, zend_fcall_info_cache& cache) {
  if (!self.check() || !engine::ensure_started()) return;
  catch_to_php_with_bailout([&] { self.state->spawn(key, call, cache, executing_location()); });
}

}  // namespace

void construct_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self) {
  (void)return_value;
  zend_long concurrency = 0;
  zend_long queue_limit = 0;
  bool is_unlimited = true;
  bool has_default_queue = true;
  zval* scope = nullptr;
  ZEND_PARSE_PARAMETERS_START(0, 3)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG_OR_NULL(concurrency, is_unlimited)
  Z_PARAM_LONG_OR_NULL(queue_limit, has_default_queue)
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(scope, Class<ScopeObject>::entry)
  ZEND_PARSE_PARAMETERS_END();
  if (!check_limit(1, concurrency, is_unlimited) || !check_limit(2, queue_limit, has_default_queue)) return;
  if (self.state) {
    zend_throw_error(nullptr, "Cannot call %s::__construct() twice", ZSTR_VAL(Z_OBJCE_P(ZEND_THIS)->name));
    return;
  }
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    const TaskGroupOptions options{.concurrency = static_cast<std::size_t>(concurrency),
                                   .queue_limit = static_cast<std::size_t>(queue_limit)};
    self.state = std::make_unique<TaskGroupState>(options, inherit_scope(scope));
    self.state->owner = Z_OBJ_P(ZEND_THIS);
  });
}

void spawn_task(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self) {
  (void)return_value;
  zend_fcall_info call;
  zend_fcall_info_cache cache;
  if (!parse_task(execute_data, call, cache)) return;
  spawn_in(self, nullptr, call, cache);
}

void spawn_task_with_key(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self) {
  (void)return_value;
  zend_string* string_key = nullptr;
  zend_long integer_key = 0;
  zend_fcall_info call;
  zend_fcall_info_cache cache;
  ZEND_PARSE_PARAMETERS_START(2, -1)
  Z_PARAM_STR_OR_LONG(string_key, integer_key)
  Z_PARAM_FUNC(call, cache)
  Z_PARAM_VARIADIC_WITH_NAMED(call.params, call.param_count, call.named_params)
  ZEND_PARSE_PARAMETERS_END();
  zval key;
  if (string_key) {
    ZVAL_STR(&key, string_key);
  } else {
    ZVAL_LONG(&key, integer_key);
  }
  spawn_in(self, &key, call, cache);
}

void cancel_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self) {
  (void)return_value;
  zend_object* reason;
  if (!parse_reason(execute_data, reason)) return;
  if (self.check()) self.cancel(reason);
}

void await_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self) {
  (void)return_value;
  ZEND_PARSE_PARAMETERS_NONE();
  if (!self.check() || !engine::ensure_started()) return;
  if (!self.state->core.is_closed()) {
    return throw_exception(exceptions.async, "TaskGroup must be closed before calling awaitCompletion()");
  }
  catch_to_php_with_bailout([&] { self.state->core.await_completion({}, executing_location()); });
}

void finally_tasks(INTERNAL_FUNCTION_PARAMETERS, TaskObject& self) {
  (void)return_value;
  zval* closure;
  if (!parse_closure(execute_data, closure)) return;
  if (!self.check()) return;
  zend_fcall_info call;
  zend_fcall_info_cache cache;
  if (zend_fcall_info_init(closure, 0, &call, &cache, nullptr, nullptr) != SUCCESS) return;
  catch_to_php_with_bailout([&] {
    auto handler = std::make_shared<StoredCall>();
    handler->assign(call, cache);
    if (!self.state->core.is_finished()) return self.state->handlers.push_back(std::move(handler));
    zval argument;
    ZVAL_OBJ(&argument, Z_OBJ_P(ZEND_THIS));
    call_from_library(*handler, {argument});
  });
}

}  // namespace trueasync::php
