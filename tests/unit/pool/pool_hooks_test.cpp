// Hooks that reject resources, throw or suspend.
#include "pool_support.hpp"

#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolHooksTest : public ReactorTest {};

// POOL-02
TEST_P(PoolHooksTest, RejectedResourceIsDestroyedAndNextTried) {
  run([&] {
    Service service;
    auto options = service.options(3, 3);
    options.before_acquire = [](Connection& connection) { return connection.is_healthy; };
    Pool<Connection> pool(std::move(options));
    {
      std::vector<Lease<Connection>> leases;
      for (int i = 0; i < 3; ++i) leases.push_back(pool.acquire());
      leases[1]->is_healthy = leases[2]->is_healthy = false;
    }
    auto lease = pool.acquire();
    EXPECT_TRUE(lease->is_healthy);
    EXPECT_EQ(service.destroyed.size(), 2u);
    EXPECT_EQ(pool.statistics().failed_checks, 2u);
    expect_consistent_counts(pool);
    yield_times(4);
    EXPECT_EQ(pool.count(), 3u);  // the pool replenishes min
  });
}

// POOL-02
TEST_P(PoolHooksTest, NewResourceIsCreatedIfAllAreRejected) {
  run([&] {
    for (const bool with_timeout : {false, true}) {
      Service service;
      auto options = service.options(2);
      options.before_acquire = [](Connection& connection) { return connection.is_healthy; };
      Pool<Connection> pool(std::move(options));
      pool.acquire()->is_healthy = false;
      auto lease = with_timeout ? pool.acquire(1s) : pool.acquire();
      EXPECT_EQ(lease->number, 2);
      EXPECT_EQ(service.destroyed, std::vector<int>{1});
    }
  });
}

// PO-03
TEST_P(PoolHooksTest, WaiterKeepsPositionIfResourceIsRejected) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.before_acquire = [](Connection& connection) {
      yield();
      return connection.is_healthy;
    };
    Pool<Connection> pool(std::move(options));
    auto lease = pool.acquire();
    std::vector<int> order;
    std::vector<Task<void>> waiters;
    for (int i = 0; i < 3; ++i) {
      waiters.push_back(spawn([&, i] {
        auto own_lease = pool.acquire();
        order.push_back(i);
      }));
    }
    yield();
    lease->is_healthy = false;
    lease.release();
    for (auto& waiter : waiters) await(waiter);
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(service.created, 2);
  });
}

// PO-06 POOL-03
TEST_P(PoolHooksTest, RejectedReleaseCreatesNewResourceForWaiter) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.before_release = [](Connection& connection) { return connection.is_healthy; };
    Pool<Connection> pool(std::move(options));
    auto lease = pool.acquire();
    auto waiter = spawn([&] { return pool.acquire()->number; });
    yield();
    lease->is_healthy = false;
    lease.release();
    EXPECT_EQ(await(waiter), 2);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    expect_consistent_counts(pool);
  });
}

// PO-11 PO-13
TEST_P(PoolHooksTest, HookErrorReachesCallerAndDestroysResource) {
  run([&] {
    Service service;
    std::string fails;
    auto options = service.options(1);
    auto check = [&](const char* which) {
      if (fails == which) throw std::runtime_error(which);
      return true;
    };
    options.before_acquire = [&](Connection&) { return check("before_acquire"); };
    options.before_release = [&](Connection&) { return check("before_release"); };
    options.reset = [&](Connection&) {
      check("reset");
      return ResourceState::clean;
    };
    options.destructor = [&](Connection& connection) {
      service.destroyed.push_back(connection.number);
      check("destructor");
    };
    Pool<Connection> pool(std::move(options));
    auto expect = [&](const char* which, auto call) {
      fails = which;
      try {
        call();
        ADD_FAILURE() << which;
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), which);
      }
      fails.clear();
      EXPECT_EQ(pool.count(), 0u) << which;
      expect_consistent_counts(pool);
    };
    for (const char* which : {"before_release", "reset"}) {
      auto lease = pool.acquire();
      expect(which, [&] { lease.release(); });
      EXPECT_FALSE(lease);
    }
    pool.acquire().release();
    expect("before_acquire", [&] { (void)pool.acquire(); });
    pool.acquire().release();
    expect("before_acquire", [&] { (void)pool.acquire(1s); });
    auto lease = pool.acquire();
    expect("destructor", [&] { lease.discard(); });
    EXPECT_EQ(service.destroyed.size(), 5u);
  });
}

// PO-13 PO-14
TEST_P(PoolHooksTest, ErrorsWithoutCallerReachOnError) {
  run([&] {
    Service service;
    std::vector<std::string> errors;
    auto options = service.options(1);
    options.destructor = [](Connection&) { throw std::runtime_error("destructor"); };
    options.on_error = [&](const std::exception_ptr& error) {
      try {
        std::rethrow_exception(error);
      } catch (const std::runtime_error& known) {
        errors.push_back(known.what());
      }
    };
    Pool<Connection> pool(std::move(options));
    try {
      auto lease = pool.acquire();
      lease.mark(ResourceState::broken);
      throw std::logic_error("in flight");
    } catch (const std::logic_error& error) {
      EXPECT_STREQ(error.what(), "in flight");
    }
    EXPECT_EQ(errors, std::vector<std::string>{"destructor"});
    expect_consistent_counts(pool);
  });
}

// PO-13
TEST_P(PoolHooksTest, ErrorsWithoutOnErrorAreUnhandled) {
  EXPECT_THROW(run([&] {
                 Service service;
                 auto options = service.options(1);
                 options.destructor = [](Connection&) { throw std::runtime_error("destructor"); };
                 Pool<Connection> pool(std::move(options));
                 auto lease = pool.acquire();
                 lease.mark(ResourceState::broken);
               }),
               std::runtime_error);
}

// PO-14
TEST_P(PoolHooksTest, PoolDestroyedDuringUnwindingKeepsOriginalError) {
  run([&] {
    Service service;
    int errors = 0;
    try {
      auto options = service.options(2, 2);
      options.destructor = [](Connection&) {
        yield();
        throw std::runtime_error("destructor");
      };
      options.on_error = [&](const std::exception_ptr&) { ++errors; };
      Pool<Connection> pool(std::move(options));
      throw std::logic_error("in flight");
    } catch (const std::logic_error& error) {
      EXPECT_STREQ(error.what(), "in flight");
    }
    EXPECT_EQ(errors, 1);  // one CompositeError for both
  });
}

// PO-15
TEST_P(PoolHooksTest, ResourceInHookCountsAsActive) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    Pool<Connection>* self = nullptr;
    auto check_counts = [&] {
      yield();
      EXPECT_EQ(self->active_count(), 1u);
      EXPECT_EQ(self->count(), 1u);
      expect_consistent_counts(*self);
      return true;
    };
    options.before_acquire = [&](Connection&) { return check_counts(); };
    options.before_release = [&](Connection&) { return check_counts(); };
    options.destructor = [&](Connection&) { check_counts(); };
    Pool<Connection> pool(std::move(options));
    self = &pool;
    pool.acquire().release();
    pool.acquire(1s).release();
    pool.acquire().discard();
    EXPECT_EQ(pool.count(), 0u);
  });
}

TEST_P(PoolHooksTest, ResetDecidesWhetherDirtyResourceIsReused) {
  run([&] {
    Service service;
    int resets = 0;
    ResourceState result = ResourceState::clean;
    auto options = service.options(1);
    options.reset = [&](Connection&) {
      ++resets;
      return result;
    };
    Pool<Connection> pool(std::move(options));
    auto lease = pool.acquire();
    EXPECT_EQ(lease.state(), ResourceState::dirty);  // with a reset hook, a lease is dirty by default
    lease.release();
    EXPECT_EQ(resets, 1);
    lease = pool.acquire();
    lease.mark(ResourceState::clean);
    lease.release();
    EXPECT_EQ(resets, 1);
    for (const ResourceState reset_result : {ResourceState::dirty, ResourceState::broken}) {
      result = reset_result;
      pool.acquire().release();
      EXPECT_EQ(pool.count(), 0u);
    }
    lease = pool.acquire();
    lease.mark(ResourceState::broken);
    lease.release();
    EXPECT_EQ(resets, 3);
    EXPECT_EQ(pool.count(), 0u);

    Pool<Connection> without(service.options(1));
    lease = without.acquire();
    EXPECT_EQ(lease.state(), ResourceState::clean);
    lease.mark(ResourceState::dirty);
    lease.release();
    EXPECT_EQ(without.count(), 0u);  // there is no reset hook
  });
}

// PO-05
TEST_P(PoolHooksTest, HookMayDestroyPool) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    std::optional<Pool<Connection>> pool;
    options.before_release = [&](Connection&) {
      pool.reset();
      return false;
    };
    pool.emplace(std::move(options));
    auto lease = pool->acquire();
    lease.release();
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    EXPECT_FALSE(pool);
  });
}

// PO-05
TEST_P(PoolHooksTest, FactoryOrDestructorMayDestroyPool) {
  run([&] {
    std::optional<Pool<int>> pool;
    int destroyed = 0;
    pool.emplace(PoolOptions<int>{.factory =
                                      [&] {
                                        pool.reset();
                                        return 1;
                                      },
                                  .destructor = [&](int&) { ++destroyed; }});
    auto requester = spawn([&] { EXPECT_THROW((void)pool->acquire(), PoolClosedError); });
    await(requester);
    yield_times(3);
    EXPECT_EQ(destroyed, 1);
    pool.emplace(PoolOptions<int>{.factory = [] { return 1; }, .destructor = [&](int&) { pool.reset(); }});
    pool->acquire().discard();
    EXPECT_FALSE(pool);
  });
}

TEST_P(PoolHooksTest, CancelledReleaseHookDestroysResource) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.reset = [](Connection&) {
      delay(1h);
      return ResourceState::clean;
    };
    Pool<Connection> pool(std::move(options));
    auto task = spawn([&] { auto lease = pool.acquire(); });
    yield_times(2);
    EXPECT_EQ(pool.active_count(), 1u);
    task.cancel();
    yield_times(4);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    expect_consistent_counts(pool);
    EXPECT_TRUE(pool.breaker().is_active());
  });
}

// PO-02 R2
TEST_P(PoolHooksTest, BeforeAcquireOfCancelledWaiterReturnsResourceToPool) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    Latch may_return(1);
    options.before_acquire = [&](Connection&) {
      may_return.wait();
      return true;
    };
    Pool<Connection> pool(std::move(options));
    auto cancelled = spawn([&] { (void)pool.acquire(1h); });
    yield_times(3);
    may_return.count_down();  // wakes the hook first: it returns before the cancelled waiter has run
    cancelled.cancel();
    yield_times(3);
    EXPECT_TRUE(cancelled.is_cancelled());
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(pool.statistics().reserved, 0u);
    expect_consistent_counts(pool);
  });
}

TEST_P(PoolHooksTest, DestructorCompletesInCancelledCoroutine) {
  run([&] {
    Service service;
    bool is_complete = false;
    auto options = service.options(1, 1);
    options.destructor = [&](Connection&) {
      yield();
      is_complete = true;
    };
    Pool<Connection> pool(std::move(options));
    auto task = spawn([&] {
      auto lease = pool.acquire();
      lease.mark(ResourceState::broken);
      current_coroutine().cancel();
    });
    yield_times(3);
    EXPECT_TRUE(is_complete);
    EXPECT_EQ(pool.statistics().destroyed, 1u);
    (void)task;
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolHooksTest);

}  // namespace
}  // namespace trueasync::test
