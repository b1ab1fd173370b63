// DetachedOwner: an owner that leaves a new coroutine at the runtime's root instead of in the spawning coroutine's
// scope.
//
// Thread safety: stateless; every runtime may use the same object.
#pragma once

#include "scheduler/coroutine_owner.hpp"

namespace trueasync::detail {

class DetachedOwner final : public CoroutineOwner {
 public:
  // Does not set block.owner: a null owner is the root.
  void attach(ControlBlock&) override {}
  void on_finished(ControlBlock&) noexcept override {}
  void release_owner() noexcept override {}
  bool handle_unobserved_error(ControlBlock&, const std::exception_ptr&) noexcept override { return false; }
  std::exception_ptr deadline_error(ControlBlock&) noexcept override { return nullptr; }
};

}  // namespace trueasync::detail
