// The switch handlers of one coroutine; exists only for coroutines that have some.
#pragma once

#include <vector>

#include "trueasync/switch_handler.hpp"

namespace trueasync::detail {

class SwitchHandlers {
 public:
  SwitchHandlerId add(SwitchHandler handler);
  bool remove(SwitchHandlerId id) noexcept;
  // Calls all that were there at the beginning, in the order they were added; drops those that say so.
  void call(const Coroutine& coroutine, SwitchKind kind) noexcept;
  bool empty() const noexcept { return slots_.empty(); }

 private:
  struct Slot {
    SwitchHandlerId id;
    SwitchHandler handler;
    bool removed = false;
  };
  void sweep() noexcept;

  std::vector<Slot> slots_;
  SwitchHandlerId last_id_ = 0;
  unsigned calling_ = 0;  // while > 0 removed slots stay, so that indices hold
};

}  // namespace trueasync::detail
