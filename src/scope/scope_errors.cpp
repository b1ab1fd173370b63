// Errors nobody awaits: the scope's handler, else the scope fails together and the error goes to its parent, and so on.
#include "scope/scope_state.hpp"

namespace trueasync::detail {

// `error` is replaced by what a handler throws.
ScopeState::ErrorDisposition ScopeState::try_handle_error(ControlBlock& block, std::exception_ptr& error,
                                                          bool from_below) noexcept {
  const ScopeErrorHandler& own = from_below && on_child_error ? on_child_error : on_error;
  if (const ScopeErrorHandler handler = ending.empty() ? own : ending.front()->handler) {
    try {
      handler(error, Access::coroutine(&block));
      return ErrorDisposition::handled;
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (is_root()) return ErrorDisposition::propagate;
  cancel();
  if (!collects_errors && !has_subscribers() && !settled_.has_subscribers()) return ErrorDisposition::propagate;
  errors_.push_back(error);
  return ErrorDisposition::handled;
}

bool ScopeState::propagate_error(ScopeState* from, ControlBlock& block, std::exception_ptr error,
                                 bool from_below) noexcept {
  const std::exception_ptr original = error;
  for (Ref<ScopeState> at(from); at; at = Ref<ScopeState>(at->parent())) {
    if (at->try_handle_error(block, error, from_below) == ErrorDisposition::handled) return true;
    from_below = true;
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
  ControlBlock& teller = running->ops ? *running : *scheduler_.main();  // in a callback it is main's matter
  if (!propagate_error(parent(), teller, error, true)) scheduler_.report_unhandled(teller, error, "a scope");
}

void ScopeState::propagate_kept_errors() noexcept {
  for (const std::exception_ptr& error : take_errors()) report_to_parent(error);
}

}  // namespace trueasync::detail
