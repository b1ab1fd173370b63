// A timer of a pool: a point in time at which the pool is called. An object of its own, embedded there (PO-17). It learns
// when the reactor goes, and is harmless then.
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class ResourcePool;

struct PoolTimer final : Timer, ReactorObserver {
  using Call = void (ResourcePool::*)() noexcept;

  PoolTimer(ResourcePool& pool, Reactor& at, Call call) noexcept;
  ~PoolTimer();

  // Replaces what was armed before.
  void arm(TimePoint when, TimerQueue::Liveness visibility) noexcept;
  void cancel() noexcept;
  // TimePoint::max() when it is not armed.
  TimePoint when() const noexcept;
  void on_reactor_closed() noexcept override;

  ResourcePool& owner;
  Reactor* reactor;  // null once it is gone
  Call on_due;
  TimerQueue::Liveness visibility = TimerQueue::Liveness::background;
};

}  // namespace trueasync::detail
