#include "trueasync/task_scope.hpp"

#include "scheduler/api_support.hpp"
#include "scope/scope_state.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

namespace {

// Below the current scope, closed or not: cleanup must be able to use one.
Ref<detail::ScopeState> make_below() {
  detail::Scheduler& scheduler = detail::require_scheduler("TaskScope");
  auto state = detail::ScopeState::make(scheduler, &detail::ScopeState::of(*scheduler.running()));
  state->collects_errors = true;
  state->pin();
  return state;
}

}  // namespace

TaskScope::TaskScope() : scope_(detail::Access::scope(make_below())) {}

// Everything in it counts, also where its maker is a zombie itself.
void TaskScope::join(WaitOptions options, SourceLocation location) {
  detail::ScopeState& state = detail::Access::state(scope_);
  detail::Scheduler& scheduler = detail::require_scheduler("TaskScope::join");
  if (state.is_ancestor_of(detail::ScopeState::of(*scheduler.running()))) {
    throw MisuseError("a coroutine can't join the TaskScope it runs in: it would wait for itself");
  }
  detail::wait_for_event(scheduler, state.settled(), options, location);
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
