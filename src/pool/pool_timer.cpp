#include "pool/pool_timer.hpp"

#include "pool/resource_pool.hpp"

namespace trueasync::detail {

PoolTimer::PoolTimer(ResourcePool& pool, Reactor& pool_reactor, Call call) noexcept
    : Timer([](Timer& self) noexcept {
        auto& timer = static_cast<PoolTimer&>(self);
        (timer.owner.*timer.on_due)();
      }),
      owner(pool),
      reactor(&pool_reactor),
      on_due(call) {
  pool_reactor.observers().push_back(*this);
}

PoolTimer::~PoolTimer() {
  if (!reactor) return;
  cancel();
  ListHook::unlink();
}

void PoolTimer::arm(TimePoint deadline, TimerQueue::Liveness new_liveness) noexcept {
  if (!reactor) return;
  cancel();
  liveness = new_liveness;
  try {
    reactor->timers().arm(*this, deadline, new_liveness);
  } catch (...) {  // out of memory: the next change of the pool arms the timer again
  }
}

void PoolTimer::cancel() noexcept {
  if (reactor) reactor->timers().cancel(*this);
}

TimePoint PoolTimer::when() const noexcept { return is_armed() ? reactor->timers().when(*this) : TimePoint::max(); }

void PoolTimer::on_reactor_closed() noexcept {
  cancel();
  reactor = nullptr;
  owner.scheduler_ = nullptr;
}

}  // namespace trueasync::detail
