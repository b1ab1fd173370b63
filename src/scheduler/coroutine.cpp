// The untyped coroutine handle, microtasks and switch handlers of the public API.
#include "trueasync/coroutine.hpp"

#include "scheduler/api_support.hpp"
#include "scheduler/control_block.hpp"
#include "scheduler/report.hpp"
#include "trueasync/error.hpp"
#include "trueasync/host.hpp"

namespace trueasync {

using detail::ControlBlock;
using detail::Phase;

Coroutine::Coroutine(ControlBlock* block) noexcept : block_(block) {
  if (block_) block_->retain();
}

void Coroutine::drop() noexcept { block_->release(); }

std::uint64_t Coroutine::id() const noexcept { return block_->id; }

std::string_view Coroutine::name() const noexcept { return block_->name ? block_->name : std::string_view(); }

CoroutineState Coroutine::state() const noexcept {
  switch (block_->phase) {
    case Phase::created:
      return CoroutineState::created;
    case Phase::running:
      return CoroutineState::running;
    case Phase::suspended:
      return block_->waker().state() == detail::WakerState::waiting ? CoroutineState::suspended : CoroutineState::ready;
    case Phase::finished:
      break;
  }
  return CoroutineState::finished;
}

bool Coroutine::is_finished() const noexcept { return !block_->is_alive(); }

bool Coroutine::is_cancellation_requested() const noexcept { return block_->flags & detail::kCancelRequested; }

bool Coroutine::is_cancelled() const noexcept { return block_->outcome == detail::Outcome::cancelled; }

SourceLocation Coroutine::spawn_location() const noexcept { return block_->spawn_location; }

SourceLocation Coroutine::suspend_location() const noexcept { return block_->suspend_location; }

std::string Coroutine::wait_description() const { return detail::describe_wait(*block_); }

std::size_t Coroutine::stack_high_water() const noexcept {
  return block_->stack ? detail::StackPool::high_water_mark(*block_->stack) : 0;
}

bool Coroutine::cancel() const {
  if (!block_) throw MisuseError("cancel: the coroutine handle is empty (moved from or default-constructed)");
  if (!block_->is_alive()) return false;
  return detail::require_owner_thread(*block_, "cancel").cancel(*block_);
}

Event& Coroutine::event() const noexcept { return *block_; }

Coroutine current_coroutine() {
  return detail::Access::coroutine(detail::require_scheduler("current_coroutine").running());
}

void queue_microtask(Microtask& task) { detail::require_scheduler("queue_microtask").queue_microtask(task); }

SwitchHandlerId add_switch_handler(const Coroutine& coroutine, SwitchHandler handler) {
  return detail::require_owner_thread(*detail::Access::block(coroutine), "add_switch_handler")
      .add_switch_handler(*detail::Access::block(coroutine), std::move(handler));
}

SwitchHandlerId add_switch_handler(SwitchHandler handler) {
  detail::Scheduler& scheduler = detail::require_scheduler("add_switch_handler");
  return scheduler.add_switch_handler(*scheduler.running(), std::move(handler));
}

bool remove_switch_handler(const Coroutine& coroutine, SwitchHandlerId id) {
  return detail::require_owner_thread(*detail::Access::block(coroutine), "remove_switch_handler")
      .remove_switch_handler(*detail::Access::block(coroutine), id);
}

namespace detail {

void call_on_thread_stack(void (*call)(void*), void* argument) {
  require_scheduler("run_on_thread_stack").run_on_thread_stack(call, argument);
}

void Scheduler::queue_microtask(Microtask& task) noexcept {
  microtasks_.push(task);
  set_slow_path(kMicrotasksQueued, true);
}

SwitchHandlerId Scheduler::add_switch_handler(ControlBlock& block, SwitchHandler handler) {
  CoroutineExtras& extras = block.ensure_extras();
  block.flags |= kHasHandlers;
  return extras.handlers.add(std::move(handler));
}

bool Scheduler::remove_switch_handler(ControlBlock& block, SwitchHandlerId id) noexcept {
  return block.extras && block.extras->handlers.remove(id);
}

}  // namespace detail

}  // namespace trueasync
