#include "trueasync/task_scope.hpp"

#include "scheduler/api_support.hpp"
#include "scope/scope_state.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

namespace {

// Works even if the current scope is closed, because cleanup code must be able to use a TaskScope.
Ref<detail::ScopeState> make_child_state() {
  detail::Scheduler& scheduler = detail::require_scheduler("TaskScope");
  auto state = detail::ScopeState::make(scheduler, &detail::ScopeState::of(*scheduler.running()));
  state->collects_errors = true;
  state->pin();
  return state;
}

}  // namespace

TaskScope::TaskScope() : scope_(make_child_state()) {}

// Waits for the end event, which counts zombies: if the current coroutine is a zombie, all coroutines here are zombies.
void TaskScope::join(SourceLocation location) {
  detail::ScopeState& state = scope_.state();
  detail::Scheduler& scheduler = detail::require_scheduler("TaskScope::join");
  if (state.is_ancestor_of(detail::ScopeState::of(*scheduler.running()))) {
    throw MisuseError("TaskScope::join: the coroutine runs inside the scope and would wait for itself");
  }
  WaitEntry entry(state.end_event());
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  detail::throw_wait_error(scheduler, scheduler.wait(request, location), &request);
  if (auto error = combine_errors(state.take_errors())) std::rethrow_exception(error);
}

TaskScope::~TaskScope() {
  detail::ScopeState& state = scope_.state();
  state.cancel();
  state.wait_for_end();
  if (state.is_on_owner_thread()) state.propagate_kept_errors();
  state.unpin();
}

}  // namespace trueasync
