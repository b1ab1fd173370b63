// PoolTimer: calls a member function of a pool at a point in time.
//
// Lifetime: a member of the pool; may outlive the reactor. After the reactor is closed, arm() has no effect.
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class ResourcePool;

struct PoolTimer final : Timer, ReactorObserver {
  using Call = void (ResourcePool::*)() noexcept;

  PoolTimer(ResourcePool& pool, Reactor& pool_reactor, Call call) noexcept;
  ~PoolTimer();

  // Replaces an earlier deadline.
  void arm(TimePoint deadline, TimerQueue::Liveness new_liveness) noexcept;
  void cancel() noexcept;
  // TimePoint::max() if the timer is not armed.
  TimePoint when() const noexcept;
  void on_reactor_closed() noexcept override;

  ResourcePool& owner;
  Reactor* reactor;  // null after the reactor is closed
  Call on_due;
  TimerQueue::Liveness liveness = TimerQueue::Liveness::background;
};

}  // namespace trueasync::detail
