#include "trueasync/scope/scope.hpp"

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

TaskScope::TaskScope() : scope_(detail::Access::scope(make_child_state())) {}

// Waits for the end event, which counts zombies: if the current coroutine is a zombie, all coroutines here are zombies.
void TaskScope::join(WaitOptions options, SourceLocation location) {
  detail::ScopeState& state = detail::Access::state(scope_);
  detail::Scheduler& scheduler = detail::require_scheduler("TaskScope::join");
  if (state.is_ancestor_of(detail::ScopeState::of(*scheduler.running()))) {
    throw MisuseError("TaskScope::join: the coroutine runs inside the scope and would wait for itself");
  }
  detail::wait_for_event(scheduler, state.end_event(), options, location);
  if (auto error = combine_errors(state.take_errors())) std::rethrow_exception(error);
}

TaskScope::~TaskScope() {
  detail::ScopeState& state = detail::Access::state(scope_);
  state.cancel();
  state.wait_for_end();
  if (state.is_on_owner_thread()) state.propagate_kept_errors();
  state.unpin();
}

}  // namespace trueasync
