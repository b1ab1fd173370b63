// Background coroutines of a pool: creations, checks, and destructors for code that must not suspend. They belong to no
// scope, so that no other coroutine's cancellation or deadline reaches them, and they are zombies.
#include <utility>

#include "pool/resource_pool.hpp"
#include "scheduler/api_support.hpp"
#include "scheduler/detached_owner.hpp"
#include "trueasync/task.hpp"

namespace trueasync::detail {

// BackgroundTask: the function of a background coroutine. Its destructor calls `on_not_started` if the coroutine was
// cancelled before it started.
struct BackgroundTask {
  BackgroundTask(Ref<ResourcePool> owner, PoolSlot* step_slot, ResourcePool::Step run,
                 ResourcePool::Step not_started) noexcept
      : pool(std::move(owner)), slot(step_slot), step(run), on_not_started(not_started) {}
  BackgroundTask(BackgroundTask&& other) noexcept = default;  // leaves `other` without a pool
  ~BackgroundTask() {
    if (!pool) return;
    if (!has_started) (pool.get()->*on_not_started)(slot);
    pool->on_background_end();
  }

  void operator()() noexcept {
    has_started = true;
    (pool.get()->*step)(slot);
  }

  Ref<ResourcePool> pool;
  PoolSlot* slot;
  ResourcePool::Step step;
  ResourcePool::Step on_not_started;
  bool has_started = false;
};

Coroutine ResourcePool::spawn_background(const char* name, PoolSlot* slot, Step step, Step on_not_started) {
  static DetachedOwner detached;
  BackgroundTask task{Ref<ResourcePool>(this), slot, step, on_not_started};
  Coroutine coroutine;
  try {
    coroutine = spawn_in(&detached, {.name = name}, std::move(task), SourceLocation::current()).coroutine();
  } catch (...) {
    task.pool = nullptr;  // the caller handles the failure: on_not_started must not run
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

bool ResourcePool::is_background_coroutine() const noexcept {
  const auto self = Access::coroutine(scheduler_->running());
  bool is_background = self == maintenance_;
  slots_.for_each([&](const PoolSlot& slot) { is_background = is_background || slot.task == self; });
  return is_background;
}

// A background coroutine that destroys the pool does not wait for itself.
void ResourcePool::await_background_work() noexcept {
  if (!is_on_owner_thread()) return;
  const std::size_t own = is_background_coroutine() ? 1 : 0;
  ControlBlock& self = *scheduler_->running();
  ++self.protect_depth;
  while (background_count_ > own) {
    WaitEntry entry(changed_);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    try {
      if (scheduler_->wait(request, SourceLocation::current()) != WakeReason::event) break;
    } catch (...) {
      break;  // the caller must not suspend: the background coroutines finish without it
    }
  }
  --self.protect_depth;
}

}  // namespace trueasync::detail
