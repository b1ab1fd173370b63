// DeadlockHandler: an event that can end its waits with its own error when the program is deadlocked.
#pragma once

#include <string>

#include "trueasync/export.hpp"

namespace trueasync::detail {

class TRUEASYNC_EXPORT DeadlockHandler {
 public:
  // Called when every coroutine is suspended and no event can wake any of them. `report` lists the waits. Returns true
  // if waiters were woken; a second call must return false.
  virtual bool on_deadlock(const std::string& report) noexcept = 0;

 protected:
  ~DeadlockHandler() = default;
};

}  // namespace trueasync::detail
