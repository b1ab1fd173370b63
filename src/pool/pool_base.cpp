#include "trueasync/detail/pool_base.hpp"

#include "pool/resource_pool.hpp"

namespace trueasync::detail {

ResourcePool* pool_of(const LeaseHandle& handle) noexcept { return handle ? handle.slot->pool : nullptr; }

PoolBase::PoolBase(PoolConfig config, SourceLocation location)
    : core_(ResourcePool::make(std::move(config), location)) {}
// core_ stays set while abandon() suspends: other coroutines may still call the pool, which is closed then.
PoolBase::~PoolBase() {
  core_->abandon();
  (void)core_.detach();
}

LeaseHandle PoolBase::try_acquire_handle(SourceLocation location) { return core_->try_acquire(location); }

void PoolBase::close() { core_->close(); }
std::size_t PoolBase::drain(WaitOptions options, SourceLocation location) { return core_->drain(options, location); }
void PoolBase::pause() noexcept { core_->pause(); }
void PoolBase::resume() noexcept { core_->resume(); }
void PoolBase::resize(std::size_t min, std::size_t max) { core_->resize(min, max); }

bool PoolBase::is_closed() const noexcept { return core_->is_closed(); }
bool PoolBase::is_paused() const noexcept { return core_->is_paused(); }
std::size_t PoolBase::count() const noexcept { return core_->count(); }
std::size_t PoolBase::idle_count() const noexcept { return core_->idle_count(); }
std::size_t PoolBase::active_count() const noexcept { return core_->active_count(); }
std::size_t PoolBase::creating_count() const noexcept { return core_->creating_count(); }
bool PoolBase::has_background_work() const noexcept { return core_->has_background_work(); }
void PoolBase::await_background_work() noexcept { core_->await_background_work(); }
PoolStatistics PoolBase::statistics() const { return core_->statistics(); }
std::vector<LeaseHolder> PoolBase::holders() const { return core_->holders(); }
std::string PoolBase::describe() const { return core_->describe(); }
CircuitBreaker& PoolBase::breaker() noexcept { return core_->breaker(); }
Event& PoolBase::event() const noexcept { return *core_; }

}  // namespace trueasync::detail
