// Cancels whoever suspends for the n-th time. Counting every suspension of every coroutine but main, a scenario can be
// run once to learn how many there are, and then again with a cancellation at each of them in turn.
//
//   Injection injection(runtime, n);
//   runtime.run(scenario);            // injection.suspensions() tells how many there were
//
// Uses the scheduler's host hooks, so not together with a host. Suspensions that end without a switch do not count.
#pragma once

#include <cstddef>

#include "scheduler/scheduler.hpp"
#include "trueasync/runtime.hpp"

namespace trueasync::test {

class CancelInjector {
 public:
  // `at`: which suspension, from 1; 0: none, only count.
  CancelInjector(Runtime& runtime, std::size_t at) : scheduler_(runtime.scheduler()), at_(at) {
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
  // The coroutine that was cancelled; 0: the run was over before.
  std::uint64_t cancelled_id() const noexcept { return cancelled_id_; }

 private:
  static CancelInjector*& active() noexcept {
    static thread_local CancelInjector* injection = nullptr;
    return injection;
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
