#include "task_group_state.hpp"

#include "engine/library_coroutine.hpp"
#include "exceptions.hpp"
#include "support/library_call.hpp"
#include "trueasync/error.hpp"

namespace trueasync::php {

namespace {

// Asked after every change, for good.
struct Watcher final : detail::TaskWaiter {
  explicit Watcher(TaskGroupState& of) noexcept : house(of) {}
  bool try_resolve() noexcept override {
    if (house.core.pending() == 0 && house.quiet.has_subscribers()) house.quiet.fire();
    if (house.core.is_finished()) house.run_finally_handlers();
    return false;
  }
  TaskGroupState& house;
};

// A handler of finally() with the group it is called with.
struct FinallyHandler {
  void operator()() const {
    zval argument;
    ZVAL_OBJ(&argument, group.object());
    call_from_library(*call, {argument});
  }
  std::shared_ptr<StoredCall> call;
  Value group;
};

// By a string that is a number, as in an array.
zval* find_key(HashTable& keys, const zval* key) noexcept {
  if (Z_TYPE_P(key) == IS_LONG) return zend_hash_index_find(&keys, static_cast<zend_ulong>(Z_LVAL_P(key)));
  return zend_symtable_find(&keys, Z_STR_P(key));
}

std::string key_text(const zval* key) {
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
Value collect(TaskGroupState& house, F&& wants) noexcept {
  zval array;
  array_init(&array);
  for (PhpTask* task = house.tasks.front(); task; task = house.tasks.next_of(*task)) {
    if (task->has_result && wants(*task)) add_by_key(&array, *task);
  }
  return Value::adopt(&array);
}

}  // namespace

PhpTask::PhpTask(TaskGroupState& in, Value name) noexcept : group(&in), key(std::move(name)) {
  in.tasks.push_back(*this);
}

PhpTask::~PhpTask() { ListHook::unlink(); }

void PhpTask::run() noexcept {
  engine::run_php_code([this] {
    zval result;
    call(&result);
    call.reset();  // destructors that it runs may wait: it is still a coroutine
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

TaskGroupQuery::TaskGroupQuery(TaskGroupState& house, SourceLocation location)
    : house_(house), state_(object_of(make_future_state(location))), location_(location) {
  house.queries.push_back(*this);
}

TaskGroupQuery::~TaskGroupQuery() {
  ListHook::unlink();
  OBJ_RELEASE(state_);
}

bool TaskGroupQuery::try_resolve() noexcept {
  const bool is_wanted = state().is_wanted() && state().is_pending();
  return !is_wanted || try_answer();
}

// A task that runs may answer: whoever waits for that is no garbage.
void TaskGroupQuery::report(GcBuffer& buffer) noexcept {
  if (house_.core.pending() == 0 || !state().state->has_subscribers()) buffer.add(state_);
}

zend_object* TaskGroupQuery::future() noexcept {
  GC_ADDREF(state_);
  return make_future(state());
}

void TaskGroupQuery::answer_with(const PhpTask& task) noexcept {
  if (!task.is_error) return complete(task.outcome);
  if (task.is_cancelled) state().state->ignore();
  GC_ADDREF(task.outcome.object());
  complete(task.outcome.object());
}

void TaskGroupQuery::answer_with_errors() noexcept {
  if (!house_.has_failure()) state().state->ignore();
  complete(house_.composite());
}

TaskGroupState::TaskGroupState(const TaskGroupOptions& options, Scope scope) : core(options, std::move(scope)) {
  zend_hash_init(&keys, 8, nullptr, nullptr, false);
  core.add_waiter(std::make_unique<Watcher>(*this));
}

TaskGroupState::~TaskGroupState() { zend_hash_destroy(&keys); }

void TaskGroupState::spawn(zval* key, const zend_fcall_info& call, const zend_fcall_info_cache& cache,
                           SourceLocation location) {
  if (core.is_closed()) throw MisuseError("The group is closed: it takes no more tasks");
  if (key && find_key(keys, key)) throw MisuseError("There is a task with the key " + key_text(key) + " already");
  zval name;
  zval seen;
  ZVAL_NULL(&seen);
  if (!key) {
    zend_hash_next_index_insert(&keys, &seen);
    ZVAL_LONG(&name, keys.nNextFreeElement - 1);
  } else {
    ZVAL_COPY(&name, key);
    if (Z_TYPE_P(key) == IS_LONG) {
      zend_hash_index_update(&keys, static_cast<zend_ulong>(Z_LVAL_P(key)), &seen);
    } else {
      zend_symtable_update(&keys, Z_STR_P(key), &seen);
    }
  }
  auto task = std::make_unique<PhpTask>(*this, Value::adopt(&name));
  task->call.assign(call, cache);
  core.submit(std::move(task), {}, location);
}

void TaskGroupState::cancel(zend_object* because) noexcept {
  if (!reason) {
    if (because) GC_ADDREF(because);
    reason = Value::adopt(because ? because : make_exception(exceptions.async_cancellation, "TaskGroup cancelled"));
  }
  zend_object* outer = std::exchange(cancel_reason, reason.object());
  core.cancel();
  cancel_reason = outer;
}

void TaskGroupState::report(GcBuffer& buffer) noexcept {
  buffer.add(reason);
  for (const auto& handler : handlers) handler->report(buffer);
  for (PhpTask* task = tasks.front(); task; task = tasks.next_of(*task)) task->report(buffer);
  for (TaskGroupQuery* one = queries.front(); one; one = queries.next_of(*one)) one->report(buffer);
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
  std::vector<std::exception_ptr> all;
  for (PhpTask* task = tasks.front(); task; task = tasks.next_of(*task)) {
    if (!task->is_error) continue;
    task->is_observed = true;
    all.push_back(task->error());
  }
  return to_php(std::make_exception_ptr(CompositeError(std::move(all))));
}

zend_object* TaskGroupState::take_unobserved() noexcept {
  std::vector<std::exception_ptr> all;
  for (PhpTask* task = tasks.front(); task; task = tasks.next_of(*task)) {
    if (!task->is_error || task->is_observed || task->is_cancelled) continue;
    task->is_observed = true;
    all.push_back(task->error());
  }
  return all.empty() ? nullptr : to_php(combine_errors(std::move(all)));
}

void TaskGroupState::observe_all() noexcept {
  for (const auto& task : core.settled) task->is_observed = true;
}

void TaskGroupState::run_finally_handlers() noexcept {
  if (handlers.empty() || !owner) return;
  const Value group(owner);
  auto all = std::exchange(handlers, {});
  catch_to_php([&] {
    for (auto& handler : all) core.add_finally(FinallyHandler{std::move(handler), group});
  });
}

void TaskGroupState::forget(PhpTask& task) noexcept {
  if (Z_TYPE_P(task.key.get()) == IS_LONG) {
    zend_hash_index_del(&keys, static_cast<zend_ulong>(Z_LVAL_P(task.key.get())));
  } else {
    zend_symtable_del(&keys, Z_STR_P(task.key.get()));
  }
  auto& settled = core.settled;
  const auto at = std::find_if(settled.begin(), settled.end(), [&](const auto& one) { return one.get() == &task; });
  std::unique_ptr<detail::TaskRecord> gone = std::move(*at);
  settled.erase(at);
}

void TaskGroupState::forget_settled() noexcept {
  while (!core.settled.empty()) forget(typed(*core.settled.back()));
}

}  // namespace trueasync::php
