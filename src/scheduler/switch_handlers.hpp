// SwitchHandlers: the switch handlers of one coroutine. Handlers may be added and removed during call().
#pragma once

#include <vector>

#include "trueasync/host.hpp"

namespace trueasync::detail {

class SwitchHandlers {
 public:
  SwitchHandlerId add(SwitchHandler handler);
  bool remove(SwitchHandlerId id) noexcept;
  // Calls the handlers that exist when the call starts, in the order they were added. A handler that returns false is
  // removed.
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
  unsigned calling_ = 0;  // call() depth; while it is not 0, removed slots stay so that indices remain valid
};

}  // namespace trueasync::detail
