// DeadlockHandler: an event that can end its waiters' wait with an error of its own when the whole program is stuck (CH-14).
#pragma once

#include <string>

#include "trueasync/export.hpp"

namespace trueasync::detail {

class TRUEASYNC_EXPORT DeadlockHandler {
 public:
  // Every coroutine is suspended and nothing can wake any of them; `report` says who waits for what. True: waiters were
  // told. The second time it must say no.
  virtual bool on_deadlock(const std::string& report) noexcept = 0;

 protected:
  ~DeadlockHandler() = default;
};

}  // namespace trueasync::detail
