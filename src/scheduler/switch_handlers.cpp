#include "scheduler/switch_handlers.hpp"

#include <utility>

namespace trueasync::detail {

SwitchHandlerId SwitchHandlers::add(SwitchHandler handler) {
  slots_.push_back({++last_id_, std::move(handler)});
  return last_id_;
}

bool SwitchHandlers::remove(SwitchHandlerId id) noexcept {
  for (Slot& slot : slots_) {
    if (slot.id != id || slot.removed) continue;
    slot.removed = true;
    sweep();
    return true;
  }
  return false;
}

void SwitchHandlers::sweep() noexcept {
  if (calling_ == 0) std::erase_if(slots_, [](const Slot& slot) { return slot.removed; });
}

void SwitchHandlers::call(const Coroutine& coroutine, SwitchKind kind) noexcept {
  ++calling_;
  const std::size_t count = slots_.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (slots_[i].removed) continue;
    // Moved out of the vector while it runs: the handler may add handlers and reallocate the vector.
    SwitchHandler handler = std::move(slots_[i].handler);
    const bool keep = handler(coroutine, kind);
    slots_[i].handler = std::move(handler);
    if (!keep) slots_[i].removed = true;
  }
  --calling_;
  sweep();
}

}  // namespace trueasync::detail
