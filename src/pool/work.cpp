// Coroutines of the pool's own: creations, checks, destructors where nobody else may suspend. They belong to no scope, so
// that nobody's cancellation or deadline reaches them, and they are zombies.
#include "pool/pool_work.hpp"

#include "scheduler/api_support.hpp"
#include "scheduler/detached_owner.hpp"
#include "trueasync/task.hpp"

namespace trueasync::detail {

BackgroundTask::~BackgroundTask() {
  if (!pool) return;
  if (!has_begun) (pool.get()->*on_not_started)(slot);
  pool->on_background_end();
}

void BackgroundTask::operator()() noexcept {
  has_begun = true;
  (pool.get()->*step)(slot);
}

Coroutine ResourcePool::spawn_background(const char* name, PoolSlot* slot, Step step, Step instead) {
  static DetachedOwner detached;
  BackgroundTask work{Ref<ResourcePool>(this), slot, step, instead};
  Coroutine coroutine;
  try {
    coroutine = spawn_in(&detached, {.name = name}, std::move(work), SourceLocation::current()).coroutine();
  } catch (...) {
    work.pool = nullptr;  // nothing has begun, and nothing is to be undone
    throw;
  }
  ++background_count_;
  scheduler_->make_zombie(*Access::block(coroutine));
  return coroutine;
}

void ResourcePool::on_background_end() noexcept {
  --background_count_;
  notify_change();
}

bool ResourcePool::is_own_coroutine() const noexcept {
  const Coroutine self(scheduler_->running());
  bool is_own = self == upkeep_;
  slots_.for_each([&](const PoolSlot& slot) { is_own = is_own || slot.task == self; });
  return is_own;
}

// Until its own coroutines have ended. In one of them, until the others have.
void ResourcePool::await_work() noexcept {
  if (!is_on_owner_thread()) return;
  const std::size_t own = is_own_coroutine() ? 1 : 0;
  ControlBlock& self = *scheduler_->running();
  ++self.protect_depth;
  while (background_count_ > own) {
    WaitEntry entry(changed_);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    try {
      if (scheduler_->wait(request, SourceLocation::current()) != WakeReason::event) break;
    } catch (...) {
      break;  // where nobody may suspend they go on without the owner
    }
  }
  --self.protect_depth;
}

}  // namespace trueasync::detail
