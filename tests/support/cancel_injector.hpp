// CancelInjector: cancels the coroutine that makes the n-th suspension of a run. It counts the suspensions of all
// coroutines except main. A test runs a scenario once to count the suspensions, then once per suspension with a
// cancellation there.
//
//   CancelInjector injector(runtime, n);
//   runtime.run(scenario);            // injector.suspensions() returns the count
//
// It uses the scheduler's host hooks, so it cannot be combined with a host. A wait that ends without a switch does not
// count.
#pragma once

#include <cstddef>

#include "scheduler/scheduler.hpp"
#include "trueasync/runtime.hpp"

namespace trueasync::test {

class CancelInjector {
 public:
  // `at`: the suspension to cancel, from 1; 0: only count.
  CancelInjector(Runtime& runtime, std::size_t at) : scheduler_(detail::Access::scheduler(runtime)), at_(at) {
    active() = this;
    scheduler_.set_host(&kHooks);
  }
  ~CancelInjector() {
    scheduler_.set_host(nullptr);
    active() = nullptr;
  }
  CancelInjector(const CancelInjector&) = delete;
  CancelInjector& operator=(const CancelInjector&) = delete;

  std::size_t suspensions() const noexcept { return count_; }
  // The id of the cancelled coroutine; 0: the run had fewer suspensions.
  std::uint64_t cancelled_id() const noexcept { return cancelled_id_; }

 private:
  static CancelInjector*& active() noexcept {
    static thread_local CancelInjector* injector = nullptr;
    return injector;
  }
  static void on_leave(detail::ControlBlock& block, bool finishing) noexcept {
    if (CancelInjector* self = active(); self && !finishing) self->count(block);
  }
  void count(detail::ControlBlock& block) noexcept {
    if (block.id == 0 || &block == scheduler_.main() || ++count_ != at_) return;
    cancelled_id_ = block.id;
    scheduler_.cancel(block);
  }

  static constexpr detail::HostHooks kHooks{&CancelInjector::on_leave, [](detail::ControlBlock&) noexcept {}};

  detail::Scheduler& scheduler_;
  std::size_t at_;
  std::size_t count_ = 0;
  std::uint64_t cancelled_id_ = 0;
};

}  // namespace trueasync::test
