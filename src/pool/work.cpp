// Coroutines of the pool's own: creations, checks, destructors where nobody else may suspend. They belong to no scope, so
// that nobody's cancellation or deadline reaches them, and they are zombies.
#include "pool/pool_work.hpp"

#include "scheduler/face.hpp"
#include "trueasync/task.hpp"

namespace trueasync::detail {

namespace {

// Takes nobody in: its coroutines stay at the root, wherever they were spawned.
class Nobody final : public CoroutineOwner {
 public:
  void adopt(ControlBlock&) override {}
  void on_finished(ControlBlock&) noexcept override {}
  void let_go() noexcept override {}
  bool claim_error(ControlBlock&, const std::exception_ptr&) noexcept override { return false; }
  std::exception_ptr deadline_error(ControlBlock&) noexcept override { return nullptr; }
};

}  // namespace

PoolWork::~PoolWork() {
  if (!pool) return;
  if (!has_begun) (pool.get()->*instead)(slot);
  pool->work_ended();
}

void PoolWork::operator()() noexcept {
  has_begun = true;
  (pool.get()->*step)(slot);
}

Coroutine ResourcePool::start_work(const char* name, PoolSlot* slot, Step step, Step instead) {
  static Nobody nobody;
  PoolWork work{Ref<ResourcePool>(this), slot, step, instead};
  Coroutine coroutine;
  try {
    coroutine = spawn({.name = name, .owner = &nobody}, std::move(work)).coroutine();
  } catch (...) {
    work.pool = nullptr;  // nothing has begun, and nothing is to be undone
    throw;
  }
  ++working_;
  scheduler_->make_zombie(*coroutine.block());
  return coroutine;
}

void ResourcePool::work_ended() noexcept {
  --working_;
  changed();
}

bool ResourcePool::is_own_coroutine() const noexcept {
  const Coroutine self(scheduler_->running());
  bool is_own = self == upkeep_;
  slots_.for_each([&](const PoolSlot& slot) { is_own = is_own || slot.task == self; });
  return is_own;
}

// Until its own coroutines have ended. In one of them, until the others have.
void ResourcePool::await_work() noexcept {
  if (!is_home()) return;
  const std::size_t own = is_own_coroutine() ? 1 : 0;
  ControlBlock& self = *scheduler_->running();
  ++self.protect_depth;
  while (working_ > own) {
    WaitEntry entry(changed_);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    try {
      if (scheduler_->wait(request, Place::here()) != WakeReason::event) break;
    } catch (...) {
      break;  // where nobody may suspend they go on without the owner
    }
  }
  --self.protect_depth;
}

}  // namespace trueasync::detail
