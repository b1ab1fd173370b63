#include "task_group_state.hpp"

#include "engine/library_coroutine.hpp"
#include "exceptions.hpp"
#include "support/library_call.hpp"
#include "trueasync/error.hpp"

namespace trueasync::php {

namespace {

// ChangeObserver: called after every change of the group. It never resolves, so the library never removes it.
struct ChangeObserver final : detail::TaskWaiter {
  explicit ChangeObserver(TaskGroupState& observed) noexcept : group(observed) {}
  bool try_resolve() noexcept override {
    if (group.core.pending() == 0 && group.idle.has_subscribers()) group.idle.fire();
    if (group.core.is_finished()) group.run_finally_handlers();
    return false;
  }
  TaskGroupState& group;
};

// FinallyHandler: a handler of finally() and its argument, the group.
struct FinallyHandler {
  void operator()() const {
    zval argument;
    ZVAL_OBJ(&argument, group.object());
    call_from_library(*call, {argument});
  }
  std::shared_ptr<StoredCall> call;
  Value group;
};

// A numeric string is the same key as its integer, as in a PHP array.
zval* find_key(HashTable& keys, const zval* key) noexcept {
  if (Z_TYPE_P(key) == IS_LONG) return zend_hash_index_find(&keys, static_cast<zend_ulong>(Z_LVAL_P(key)));
  return zend_symtable_find(&keys, Z_STR_P(key));
}

std::string format_key(const zval* key) {
  if (Z_TYPE_P(key) == IS_LONG) return std::to_string(Z_LVAL_P(key));
  return '"' + std::string(Z_STRVAL_P(key), Z_STRLEN_P(key)) + '"';
}

void add_by_key(zval* array, const PhpTask& task) noexcept {
  zval copy;
  task.outcome.copy_to(&copy);
  if (Z_TYPE_P(task.key.get()) == IS_LONG) {
    zend_hash_index_update(Z_ARRVAL_P(array), static_cast<zend_ulong>(Z_LVAL_P(task.key.get())), &copy);
  } else {
    zend_symtable_update(Z_ARRVAL_P(array), Z_STR_P(const_cast<zval*>(task.key.get())), &copy);
  }
}

template <class F>
Value collect(TaskGroupState& group, F&& includes) noexcept {
  zval array;
  array_init(&array);
  for (PhpTask* task = group.tasks.front(); task; task = group.tasks.next_of(*task)) {
    if (task->has_result && includes(*task)) add_by_key(&array, *task);
  }
  return Value::adopt(&array);
}

}  // namespace

PhpTask::PhpTask(TaskGroupState& owner, Value task_key) noexcept : group(&owner), key(std::move(task_key)) {
  owner.tasks.push_back(*this);
}

PhpTask::~PhpTask() { ListHook::unlink(); }

void PhpTask::run() noexcept {
  engine::run_php_code([this] {
    zval result;
    call(&result);
    call.reset();  // may run destructors, which may suspend while the coroutine still exists
    CoroutineObject& coroutine = *engine::current();
    has_result = true;
    const bool exits = EG(exception) && zend_is_unwind_exit(EG(exception));
    zend_object* thrown = engine::take_thrown();
    if (exits) thrown = make_exception(exceptions.async_cancellation, "exit() was called in this task");
    if (thrown) {
      is_error = true;
      is_cancelled = exits || is_own_cancellation(thrown);
      GC_ADDREF(thrown);
      coroutine.exception = thrown;
      outcome = Value::adopt(thrown);
    } else {
      outcome = Value::adopt(&result);
      coroutine.result = outcome;
    }
  });
}

void PhpTask::fail(std::exception_ptr cause) noexcept {
  call.reset();
  has_result = is_error = true;
  outcome = is_cancelled && group->reason ? group->reason : Value::adopt(to_php(cause));
}

std::exception_ptr PhpTask::error() const noexcept {
  if (!is_error) return nullptr;
  GC_ADDREF(outcome.object());
  return to_cpp(outcome.object());
}

void PhpTask::report(GcBuffer& buffer) noexcept {
  call.report(buffer);
  buffer.add(outcome);
}

TaskGroupQuery::TaskGroupQuery(TaskGroupState& group, SourceLocation location)
    : group_(group), state_(object_of(make_future_state(location))), location_(location) {
  group.queries.push_back(*this);
}

TaskGroupQuery::~TaskGroupQuery() {
  ListHook::unlink();
  OBJ_RELEASE(state_);
}

bool TaskGroupQuery::try_resolve() noexcept {
  const bool is_needed = state().is_wanted() && state().is_pending();
  return !is_needed || try_answer();
}

// A pending task may settle the future, so a future with subscribers is not garbage while a task is pending.
void TaskGroupQuery::report(GcBuffer& buffer) noexcept {
  if (group_.core.pending() == 0 || !state().state->has_subscribers()) buffer.add(state_);
}

zend_object* TaskGroupQuery::future() noexcept {
  GC_ADDREF(state_);
  return make_future(state());
}

void TaskGroupQuery::complete_with(const PhpTask& task) noexcept {
  if (!task.is_error) return complete(task.outcome);
  if (task.is_cancelled) state().state->ignore();
  GC_ADDREF(task.outcome.object());
  complete(task.outcome.object());
}

void TaskGroupQuery::complete_with_errors() noexcept {
  if (!group_.has_failure()) state().state->ignore();
  complete(group_.composite());
}

TaskGroupState::TaskGroupState(const TaskGroupOptions& options, Scope scope) : core(options, std::move(scope)) {
  zend_hash_init(&keys, 8, nullptr, nullptr, false);
  core.add_waiter(std::make_unique<ChangeObserver>(*this));
}

TaskGroupState::~TaskGroupState() { zend_hash_destroy(&keys); }

void TaskGroupState::spawn(zval* key, const zend_fcall_info& call, const zend_fcall_info_cache& cache,
                           SourceLocation location) {
  // Programs compare these messages. A TaskSet throws the same as a TaskGroup.
  if (core.is_closed()) throw MisuseError("Cannot spawn tasks on a closed TaskGroup");
  if (core.scope().is_closed()) throw MisuseError("Cannot spawn a coroutine in a closed scope");
  if (key && find_key(keys, key)) throw MisuseError("Duplicate key " + format_key(key) + " in TaskGroup");
  zval task_key;
  zval unused;
  ZVAL_NULL(&unused);
  if (!key) {
    zend_hash_next_index_insert(&keys, &unused);
    ZVAL_LONG(&task_key, keys.nNextFreeElement - 1);
  } else {
    ZVAL_COPY(&task_key, key);
    if (Z_TYPE_P(key) == IS_LONG) {
      zend_hash_index_update(&keys, static_cast<zend_ulong>(Z_LVAL_P(key)), &unused);
    } else {
      zend_symtable_update(&keys, Z_STR_P(key), &unused);
    }
  }
  auto task = std::make_unique<PhpTask>(*this, Value::adopt(&task_key));
  task->call.assign(call, cache);
  core.submit(std::move(task), {}, location);
}

void TaskGroupState::cancel(zend_object* requested_reason) noexcept {
  if (!reason) {
    if (requested_reason) GC_ADDREF(requested_reason);
    reason = Value::adopt(requested_reason ? requested_reason
                                           : make_exception(exceptions.async_cancellation, "TaskGroup cancelled"));
  }
  zend_object* outer = std::exchange(cancel_reason, reason.object());
  core.cancel();
  cancel_reason = outer;
}

void TaskGroupState::report(GcBuffer& buffer) noexcept {
  buffer.add(reason);
  for (const auto& handler : handlers) handler->report(buffer);
  for (PhpTask* task = tasks.front(); task; task = tasks.next_of(*task)) task->report(buffer);
  for (TaskGroupQuery* query = queries.front(); query; query = queries.next_of(*query)) query->report(buffer);
}

bool TaskGroupState::has_error() const noexcept {
  for (const auto& task : core.settled) {
    if (task->is_error) return true;
  }
  return false;
}

bool TaskGroupState::has_failure() const noexcept {
  for (const auto& task : core.settled) {
    if (task->is_error && !task->is_cancelled) return true;
  }
  return false;
}

Value TaskGroupState::results() noexcept {
  return collect(*this, [](const PhpTask& task) { return !task.is_error; });
}

Value TaskGroupState::errors() noexcept {
  return collect(*this, [](PhpTask& task) {
    task.is_observed = task.is_observed || task.is_error;
    return task.is_error;
  });
}

zend_object* TaskGroupState::composite() noexcept {
  std::vector<std::exception_ptr> all_errors;
  for (PhpTask* task = tasks.front(); task; task = tasks.next_of(*task)) {
    if (!task->is_error) continue;
    task->is_observed = true;
    all_errors.push_back(task->error());
  }
  return to_php(std::make_exception_ptr(CompositeError(std::move(all_errors))));
}

zend_object* TaskGroupState::take_unobserved() noexcept {
  std::vector<std::exception_ptr> unhandled;
  for (PhpTask* task = tasks.front(); task; task = tasks.next_of(*task)) {
    if (!task->is_error || task->is_observed || task->is_cancelled) continue;
    task->is_observed = true;
    unhandled.push_back(task->error());
  }
  return unhandled.empty() ? nullptr : to_php(combine_errors(std::move(unhandled)));
}

void TaskGroupState::observe_all() noexcept {
  for (const auto& task : core.settled) task->is_observed = true;
}

void TaskGroupState::run_finally_handlers() noexcept {
  if (handlers.empty() || !owner) return;
  const Value group(owner);
  auto started = std::exchange(handlers, {});
  catch_to_php([&] {
    for (auto& handler : started) core.add_finally(FinallyHandler{std::move(handler), group});
  });
}

void TaskGroupState::remove(PhpTask& task) noexcept {
  if (Z_TYPE_P(task.key.get()) == IS_LONG) {
    zend_hash_index_del(&keys, static_cast<zend_ulong>(Z_LVAL_P(task.key.get())));
  } else {
    zend_symtable_del(&keys, Z_STR_P(task.key.get()));
  }
  auto& settled = core.settled;
  const auto found =
      std::find_if(settled.begin(), settled.end(), [&](const auto& entry) { return entry.get() == &task; });
  // Destroyed after the erase: the destructor may run PHP code that uses the group.
  std::unique_ptr<detail::TaskRecord> removed = std::move(*found);
  settled.erase(found);
}

void TaskGroupState::remove_settled() noexcept {
  while (!core.settled.empty()) remove(typed(*core.settled.back()));
}

}  // namespace trueasync::php
