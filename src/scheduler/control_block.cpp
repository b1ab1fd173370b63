#include "scheduler/control_block.hpp"

#include "scheduler/record_arena.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::detail {

namespace {

void on_wait_timeout(Timer& timer) noexcept {
  auto& block = static_cast<ControlBlock&>(static_cast<WaitTimer&>(timer));
  block.wake(WakeReason::timed_out, *block.scheduler);
}

}  // namespace

WaitTimer::WaitTimer() noexcept : Timer(&on_wait_timeout) {}

ControlBlock::ControlBlock(Scheduler& owner_scheduler, std::uint64_t number, SourceLocation location) noexcept
    : id(number), scheduler(&owner_scheduler), spawn_location(location) {
  set_target(&owner_scheduler);
}

bool ControlBlock::replay(Notification& result) const noexcept {
  if (outcome == Outcome::error) result.error = error;
  return !is_alive();
}

void ControlBlock::fire_finished() noexcept { notify({0, outcome == Outcome::error ? error : nullptr}); }

std::string ControlBlock::describe() const { return "coroutine " + coroutine_label(*this); }

std::string coroutine_label(const ControlBlock& block) {
  std::string text = "#";
  text += std::to_string(block.id);
  if (block.name) text.append(" \"").append(block.name).append("\"");
  return text;
}

CoroutineExtras& ControlBlock::ensure_extras() {
  if (!extras) extras = new CoroutineExtras;
  return *extras;
}

void ControlBlock::dispose() noexcept {
  RecordArena& arena = RecordArena::of(*this);
  // No handle is left, so no coroutine can await this error: now, and not before, it is unhandled.
  if (outcome == Outcome::error && !(flags & kErrorObserved) && !arena.is_orphaned()) {
    flags |= kErrorObserved;
    retain();  // the handler gets a handle, and may keep it
    scheduler->report_unhandled(*this, error);
    return release();
  }
  if (ops && ops->drop_result && outcome == Outcome::value && !(flags & kResultDropped)) {
    flags |= kResultDropped | kResultTaken;
    retain();  // the result's destructor may take a handle to the current coroutine, which may be this one
    ops->drop_result(storage);
    return release();
  }
  if (ops) {
    if (storage != RecordArena::record_of(this)->storage) {
      ::operator delete(storage, std::align_val_t(ops->alignment));
    }
  }
  detach_from_owner();
  delete extras;
  delete[] name;
  this->~ControlBlock();
  arena.free(RecordArena::record_of(this));
}

}  // namespace trueasync::detail
