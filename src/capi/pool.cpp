// The pool table of the C API.
#include "trueasync/pool/pool.hpp"

#include "capi/pool_adapter.hpp"
#include "capi/tables.hpp"
#include "pool/resource_pool.hpp"

namespace trueasync::detail {

namespace {

CPool& pool_of(ta_pool* pool) { return *require_non_null(reinterpret_cast<CPool*>(pool), "the pool"); }

ta_status create(const ta_pool_options* options, ta_pool** pool, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    std::unique_ptr<CPool> created(CPool::make(options, to_location(location)));
    *require_non_null(pool, "the pool") = reinterpret_cast<ta_pool*>(created.release());
  });
}

void destroy(ta_pool* pool) noexcept { delete reinterpret_cast<CPool*>(pool); }

ta_status acquire(ta_pool* pool, int64_t timeout_ns, ta_lease* lease, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    *require_non_null(lease, "the lease") = {};
    *lease = pool_of(pool).acquire(timeout_ns, to_location(location));
  });
}

ta_status try_acquire(ta_pool* pool, ta_lease* lease, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    *require_non_null(lease, "the lease") = {};
    *lease = pool_of(pool).try_acquire(to_location(location));
    return lease->slot ? TA_OK : ta_fail(error, TA_EMPTY, 0, "try_acquire: no resource is idle");
  });
}

ResourceState to_resource_state(ta_release_state state) {
  switch (state) {
    case TA_RELEASE_CLEAN:
      return ResourceState::clean;
    case TA_RELEASE_DIRTY:
      return ResourceState::dirty;
    case TA_RELEASE_BROKEN:
      return ResourceState::broken;
    default:
      throw MisuseError("release: unknown ta_release_state " + std::to_string(state));
  }
}

ta_status release(ta_pool* pool, ta_lease* lease, ta_release_state state, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const LeaseHandle handle = to_lease_handle(*require_non_null(lease, "the lease"), to_resource_state(state));
    if (!handle || (pool && detail::pool_of(handle) != &Access::core(pool_of(pool)))) {
      throw MisuseError("release: the lease is empty or belongs to another pool");
    }
    *lease = {};
    release_lease(handle);
  });
}

ta_status find_lease(ta_pool* pool, void* resource, ta_lease* lease, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    *require_non_null(lease, "the lease") = to_lease(Access::core(pool_of(pool)).find(resource));
    return lease->slot ? TA_OK : ta_fail(error, TA_EMPTY, 0, "find_lease: the resource is not leased");
  });
}

ta_status close(ta_pool* pool, ta_error* error) noexcept {
  return catch_to_status(error, [&] { pool_of(pool).close(); });
}

ta_status drain(ta_pool* pool, int64_t timeout_ns, size_t* outstanding, ta_location location,
                ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    const size_t count = pool_of(pool).drain(to_timeout(timeout_ns), to_location(location));
    if (outstanding) *outstanding = count;
    if (count == 0) return TA_OK;
    return ta_fail(error, TA_TIMEOUT, 0, ("drain: timed out with " + std::to_string(count) + " leases").c_str());
  });
}

void pause(ta_pool* pool) noexcept {
  if (pool) reinterpret_cast<CPool*>(pool)->pause();
}

void resume(ta_pool* pool) noexcept {
  if (pool) reinterpret_cast<CPool*>(pool)->resume();
}

ta_status resize(ta_pool* pool, uint32_t min, uint32_t max, ta_error* error) noexcept {
  return catch_to_status(error, [&] { pool_of(pool).resize(min, max); });
}

ta_histogram to_c_histogram(const Histogram& histogram) noexcept {
  const auto count = [](std::chrono::nanoseconds time) { return static_cast<uint64_t>(time.count()); };
  return {histogram.count(), count(histogram.mean()), count(histogram.percentile(50)), count(histogram.percentile(99)),
          count(histogram.max())};
}

ta_status statistics(ta_pool* pool, ta_pool_statistics* output, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const PoolStatistics now = pool_of(pool).statistics();
    ta_pool_statistics result = {};
    result.total = now.total;
    result.idle = now.idle;
    result.active = now.active;
    result.reserved = now.reserved;
    result.creating = now.creating;
    result.waiting = now.waiting;
    result.created = now.created;
    result.destroyed = now.destroyed;
    result.acquired = now.acquired;
    result.timeouts = now.timeouts;
    result.failed_creations = now.failed_creations;
    result.failed_checks = now.failed_checks;
    result.leaks = now.leaks;
    result.breaker = static_cast<uint64_t>(pool_of(pool).breaker().state());
    result.wait = to_c_histogram(now.wait);
    result.hold = to_c_histogram(now.hold);
    result.create = to_c_histogram(now.create);
    result.age = to_c_histogram(now.age);
    write_struct(output, result, "ta_pool_statistics");
  });
}

ta_event* event(ta_pool* pool) noexcept { return pool ? handle_of(&reinterpret_cast<CPool*>(pool)->event()) : nullptr; }

ta_breaker_state breaker(ta_pool* pool) noexcept {
  if (!pool) return TA_BREAKER_INACTIVE;
  return static_cast<ta_breaker_state>(reinterpret_cast<CPool*>(pool)->breaker().state());
}

ta_status set_breaker(ta_pool* pool, ta_breaker_state state, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    CircuitBreaker& native = pool_of(pool).breaker();
    if (state == TA_BREAKER_ACTIVE) {
      native.activate();
    } else if (state == TA_BREAKER_INACTIVE) {
      native.deactivate();
    } else if (state != TA_BREAKER_RECOVERING) {
      throw MisuseError("set_breaker: unknown ta_breaker_state " + std::to_string(state));
    } else if (!native.recover() && native.state() != BreakerState::recovering) {
      throw MisuseError("set_breaker: RECOVERING is possible from INACTIVE only");
    }
  });
}

ta_status wrap(ta_pool* pool, void** object, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    pool_of(pool);
    require_non_null(object, "the object");
    ta_api api = ta_options<ta_api>();
    if (const ta_status status = ta_get_api(TA_ABI_MAJOR, 0, &api, error); status != TA_OK) return status;
    if (!api.host || !TA_HAS(api.host, ta_host_table, wrap_pool) || !api.host->wrap_pool) {
      return ta_fail(error, TA_UNAVAILABLE, 0, "wrap: no host table with wrap_pool is registered");
    }
    return api.host->wrap_pool(pool, object, error);
  });
}

}  // namespace

constinit const ta_pool_table kPoolTable = {
    .head = table_head<ta_pool_table>(),
    .create = &create,
    .destroy = &destroy,
    .acquire = &acquire,
    .try_acquire = &try_acquire,
    .release = &release,
    .find_lease = &find_lease,
    .close = &close,
    .drain = &drain,
    .pause = &pause,
    .resume = &resume,
    .resize = &resize,
    .statistics = &statistics,
    .event = &event,
    .breaker = &breaker,
    .set_breaker = &set_breaker,
    .wrap = &wrap,
};

}  // namespace trueasync::detail
