#include "pool/pool_timer.hpp"

#include "pool/resource_pool.hpp"

namespace trueasync::detail {

PoolTimer::PoolTimer(ResourcePool& pool, Reactor& at, Call call) noexcept
    : Timer([](Timer& self) noexcept {
        auto& timer = static_cast<PoolTimer&>(self);
        (timer.owner.*timer.on_due)();
      }),
      owner(pool),
      reactor(&at),
      on_due(call) {
  at.observers().push_back(*this);
}

PoolTimer::~PoolTimer() {
  if (!reactor) return;
  cancel();
  ListHook::unlink();
}

void PoolTimer::arm(TimePoint at, TimerQueue::Liveness seen) noexcept {
  if (!reactor) return;
  cancel();
  visibility = seen;
  try {
    reactor->timers().arm(*this, at, seen);
  } catch (...) {  // no memory: whatever comes next arms it again
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
