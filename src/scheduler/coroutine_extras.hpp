// What few coroutines have; beside the record, so that the others do not carry it.
#pragma once

#include <memory>

#include "scheduler/switch_handlers.hpp"

namespace trueasync::detail {

struct CoroutineExtras {
  SwitchHandlers handlers;
  std::shared_ptr<void> context;  // the coroutine's own Context, made on demand by the scope room
  // Deadline errors of this coroutine that exist right now: while there are some it cleans up and may suspend. Shared
  // with the errors, which may outlive the coroutine.
  std::shared_ptr<unsigned> errors_in_flight;

  bool has_deadline_error_in_flight() const noexcept { return errors_in_flight && *errors_in_flight != 0; }
};

}  // namespace trueasync::detail
