// Unobserved errors. The scope's exception handler gets the error. Without a handler the error cancels the scope and
// propagates to the parent, up to the root.
#include "scope/scope_state.hpp"

namespace trueasync::detail {

// If a handler throws, its exception replaces `error`.
ScopeState::ErrorDisposition ScopeState::try_handle_error(ControlBlock& block, std::exception_ptr& error,
                                                          bool from_child) noexcept {
  const ScopeErrorHandler& own = from_child && on_child_error ? on_child_error : on_error;
  // A copy, because the handler may replace itself.
  if (const ScopeErrorHandler handler = end_observers.empty() ? own : end_observers.front()->handler) {
    try {
      handler(error, Access::coroutine(&block));
      return ErrorDisposition::handled;
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (is_root()) return ErrorDisposition::propagate;
  cancel();
  if (!collects_errors && !has_subscribers() && !end_event_.has_subscribers()) return ErrorDisposition::propagate;
  errors_.push_back(error);
  return ErrorDisposition::handled;
}

bool ScopeState::propagate_error(ScopeState* from, ControlBlock& block, std::exception_ptr error,
                                 bool from_child) noexcept {
  const std::exception_ptr original = error;
  for (Ref<ScopeState> scope(from); scope; scope = Ref<ScopeState>(scope->parent())) {
    if (scope->try_handle_error(block, error, from_child) == ErrorDisposition::handled) return true;
    from_child = true;
  }
  if (error == original) return false;
  block.scheduler->report_unhandled(block, error, "the exception handler of a scope");
  return true;
}

bool ScopeState::handle_unobserved_error(ControlBlock& block, const std::exception_ptr& error) noexcept {
  return propagate_error(this, block, error, false);
}

void ScopeState::report_to_parent(const std::exception_ptr& error) noexcept {
  Scheduler::NoSuspend guard(scheduler_, "a handler of a scope");
  ControlBlock* running = scheduler_.running();
  // Without ops it is no spawned coroutine but main or the scheduler itself: attribute the error to main.
  ControlBlock& source = running->ops ? *running : *scheduler_.main();
  if (!propagate_error(parent(), source, error, true)) scheduler_.report_unhandled(source, error, "a scope");
}

void ScopeState::propagate_kept_errors() noexcept {
  for (const std::exception_ptr& error : take_errors()) report_to_parent(error);
}

}  // namespace trueasync::detail
