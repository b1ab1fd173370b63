// Errors nobody awaits: the scope's handler, else the scope fails together and the error goes to its parent, and so on.
#include "scope/scope_state.hpp"

namespace trueasync::detail {

// `error` is replaced by what a handler throws.
ScopeState::Offer ScopeState::offer(ControlBlock& block, std::exception_ptr& error, bool from_below) noexcept {
  const ScopeErrorHandler& own = from_below && on_child_error ? on_child_error : on_error;
  if (const ScopeErrorHandler handler = ending.empty() ? own : ending.front()->handler) {
    try {
      handler(error, Coroutine(&block));
      return Offer::taken;
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (is_root()) return Offer::goes_up;
  cancel();
  if (!keeps_errors && !has_subscribers() && !settled_.has_subscribers()) return Offer::goes_up;
  errors_.push_back(error);
  return Offer::taken;
}

bool ScopeState::travel_up(ScopeState* from, ControlBlock& block, std::exception_ptr error, bool from_below) noexcept {
  const std::exception_ptr original = error;
  for (Ref<ScopeState> at(from); at; at = Ref<ScopeState>(at->parent())) {
    if (at->offer(block, error, from_below) == Offer::taken) return true;
    from_below = true;
  }
  if (error == original) return false;
  block.scheduler->report_unhandled(block, error, "the exception handler of a scope");
  return true;
}

bool ScopeState::claim_error(ControlBlock& block, const std::exception_ptr& error) noexcept {
  return travel_up(this, block, error, false);
}

void ScopeState::raise_above(const std::exception_ptr& error) noexcept {
  Scheduler::NoSuspend guard(scheduler_, "a handler of a scope");
  ControlBlock* running = scheduler_.running();
  ControlBlock& teller = running->ops ? *running : *scheduler_.main();  // in a callback it is main's matter
  if (!travel_up(parent(), teller, error, true)) scheduler_.report_unhandled(teller, error, "a scope");
}

void ScopeState::pass_errors_up() noexcept {
  for (const std::exception_ptr& error : take_errors()) raise_above(error);
}

}  // namespace trueasync::detail
