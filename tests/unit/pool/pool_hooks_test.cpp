// Hooks: refusals, errors, suspensions.
#include "pool_support.hpp"

#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolHooksTest : public ReactorTest {};

TEST_P(PoolHooksTest, ARefusedOneIsDestroyedAndTheNextIsTried) {
  // POOL-02
  run([&] {
    Service service;
    auto options = service.options(3, 3);
    options.before_acquire = [](Thing& thing) { return thing.is_alive; };
    Pool<Thing> pool(std::move(options));
    {
      std::vector<Lease<Thing>> all;
      for (int i = 0; i < 3; ++i) all.push_back(pool.acquire());
      all[1]->is_alive = all[2]->is_alive = false;
    }
    auto lease = pool.acquire();
    EXPECT_TRUE(lease->is_alive);
    EXPECT_EQ(service.destroyed.size(), 2u);
    EXPECT_EQ(pool.statistics().failed_checks, 2u);
    expect_balance(pool);
    yield_times(4);
    EXPECT_EQ(pool.count(), 3u);  // min is kept
  });
}

TEST_P(PoolHooksTest, WhenAllAreRefusedANewOneIsMade) {
  // POOL-02
  run([&] {
    for (const bool with_limit : {false, true}) {
      Service service;
      auto options = service.options(2);
      options.before_acquire = [](Thing& thing) { return thing.is_alive; };
      Pool<Thing> pool(std::move(options));
      pool.acquire()->is_alive = false;
      auto lease = with_limit ? pool.acquire(1s) : pool.acquire();
      EXPECT_EQ(lease->number, 2);
      EXPECT_EQ(service.destroyed, std::vector<int>{1});
    }
  });
}

TEST_P(PoolHooksTest, TheOneWhoseResourceIsRefusedKeepsItsTurn) {
  // PO-03
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.before_acquire = [](Thing& thing) {
      yield();
      return thing.is_alive;
    };
    Pool<Thing> pool(std::move(options));
    auto lease = pool.acquire();
    std::vector<int> order;
    std::vector<Task<void>> waiters;
    for (int i = 0; i < 3; ++i) {
      waiters.push_back(spawn([&, i] {
        auto mine = pool.acquire();
        order.push_back(i);
      }));
    }
    yield();
    lease->is_alive = false;
    lease.release();
    for (auto& waiter : waiters) await(waiter);
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(service.made, 2);
  });
}

TEST_P(PoolHooksTest, ARefusedReleaseLetsAWaiterHaveANewOne) {
  // PO-06 POOL-03
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.before_release = [](Thing& thing) { return thing.is_alive; };
    Pool<Thing> pool(std::move(options));
    auto lease = pool.acquire();
    auto waiter = spawn([&] { return pool.acquire()->number; });
    yield();
    lease->is_alive = false;
    lease.release();
    EXPECT_EQ(await(waiter), 2);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    expect_balance(pool);
  });
}

TEST_P(PoolHooksTest, ErrorsOfHooksGoToTheCallerAndTheResourceGoes) {
  // PO-11 PO-13
  run([&] {
    Service service;
    std::string fails;
    auto options = service.options(1);
    auto check = [&](const char* which) {
      if (fails == which) throw std::runtime_error(which);
      return true;
    };
    options.before_acquire = [&](Thing&) { return check("before_acquire"); };
    options.before_release = [&](Thing&) { return check("before_release"); };
    options.reset = [&](Thing&) {
      check("reset");
      return ResourceState::clean;
    };
    options.destructor = [&](Thing& thing) {
      service.destroyed.push_back(thing.number);
      check("destructor");
    };
    Pool<Thing> pool(std::move(options));
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
      expect_balance(pool);
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

TEST_P(PoolHooksTest, ErrorsWhereNobodyCanBeToldGoToTheHandler) {
  // PO-13 PO-14
  run([&] {
    Service service;
    std::vector<std::string> errors;
    auto options = service.options(1);
    options.destructor = [](Thing&) { throw std::runtime_error("destructor"); };
    options.on_error = [&](const std::exception_ptr& error) {
      try {
        std::rethrow_exception(error);
      } catch (const std::runtime_error& known) {
        errors.push_back(known.what());
      }
    };
    Pool<Thing> pool(std::move(options));
    try {
      auto lease = pool.acquire();
      lease.mark(ResourceState::broken);
      throw std::logic_error("in flight");
    } catch (const std::logic_error& error) {
      EXPECT_STREQ(error.what(), "in flight");
    }
    EXPECT_EQ(errors, std::vector<std::string>{"destructor"});
    expect_balance(pool);
  });
}

TEST_P(PoolHooksTest, WithoutAHandlerTheyAreErrorsNobodyAwaits) {
  // PO-13
  EXPECT_THROW(run([&] {
                 Service service;
                 auto options = service.options(1);
                 options.destructor = [](Thing&) { throw std::runtime_error("destructor"); };
                 Pool<Thing> pool(std::move(options));
                 auto lease = pool.acquire();
                 lease.mark(ResourceState::broken);
               }),
               std::runtime_error);
}

TEST_P(PoolHooksTest, APoolThatEndsWhileAnErrorUnwindsLetsItPass) {
  // PO-14
  run([&] {
    Service service;
    int errors = 0;
    try {
      auto options = service.options(2, 2);
      options.destructor = [](Thing&) {
        yield();
        throw std::runtime_error("destructor");
      };
      options.on_error = [&](const std::exception_ptr&) { ++errors; };
      Pool<Thing> pool(std::move(options));
      throw std::logic_error("in flight");
    } catch (const std::logic_error& error) {
      EXPECT_STREQ(error.what(), "in flight");
    }
    EXPECT_EQ(errors, 1);  // both, in one
  });
}

TEST_P(PoolHooksTest, WhatIsInTheHandsOfAHookCountsAsActive) {
  // PO-15
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    Pool<Thing>* self = nullptr;
    auto look = [&] {
      yield();
      EXPECT_EQ(self->active_count(), 1u);
      EXPECT_EQ(self->count(), 1u);
      expect_balance(*self);
      return true;
    };
    options.before_acquire = [&](Thing&) { return look(); };
    options.before_release = [&](Thing&) { return look(); };
    options.destructor = [&](Thing&) { look(); };
    Pool<Thing> pool(std::move(options));
    self = &pool;
    pool.acquire().release();
    pool.acquire(1s).release();
    pool.acquire().discard();
    EXPECT_EQ(pool.count(), 0u);
  });
}

TEST_P(PoolHooksTest, AResetDecidesWhatBecomesOfADirtyOne) {
  run([&] {
    Service service;
    int resets = 0;
    ResourceState result = ResourceState::clean;
    auto options = service.options(1);
    options.reset = [&](Thing&) {
      ++resets;
      return result;
    };
    Pool<Thing> pool(std::move(options));
    auto lease = pool.acquire();
    EXPECT_EQ(lease.state(), ResourceState::dirty);  // nobody knows what its holder does
    lease.release();
    EXPECT_EQ(resets, 1);
    lease = pool.acquire();
    lease.mark(ResourceState::clean);
    lease.release();
    EXPECT_EQ(resets, 1);
    for (const ResourceState left : {ResourceState::dirty, ResourceState::broken}) {
      result = left;
      pool.acquire().release();
      EXPECT_EQ(pool.count(), 0u);
    }
    lease = pool.acquire();
    lease.mark(ResourceState::broken);
    lease.release();
    EXPECT_EQ(resets, 3);
    EXPECT_EQ(pool.count(), 0u);

    Pool<Thing> without(service.options(1));
    lease = without.acquire();
    EXPECT_EQ(lease.state(), ResourceState::clean);
    lease.mark(ResourceState::dirty);
    lease.release();
    EXPECT_EQ(without.count(), 0u);  // nobody can clean it
  });
}

TEST_P(PoolHooksTest, AHookMayEndThePool) {
  // PO-05
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    std::optional<Pool<Thing>> pool;
    options.before_release = [&](Thing&) {
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

TEST_P(PoolHooksTest, AFactoryOrDestructorMayEndThePool) {
  // PO-05
  run([&] {
    std::optional<Pool<int>> pool;
    int destroyed = 0;
    pool.emplace(PoolOptions<int>{.factory =
                                      [&] {
                                        pool.reset();
                                        return 1;
                                      },
                                  .destructor = [&](int&) { ++destroyed; }});
    auto asker = spawn([&] { EXPECT_THROW((void)pool->acquire(), PoolClosedError); });
    await(asker);
    yield_times(3);
    EXPECT_EQ(destroyed, 1);
    pool.emplace(PoolOptions<int>{.factory = [] { return 1; }, .destructor = [&](int&) { pool.reset(); }});
    pool->acquire().discard();
    EXPECT_FALSE(pool);
  });
}

TEST_P(PoolHooksTest, ACancelledHookOfARelease) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.reset = [](Thing&) {
      delay(1h);
      return ResourceState::clean;
    };
    Pool<Thing> pool(std::move(options));
    auto task = spawn([&] { auto lease = pool.acquire(); });
    yield_times(2);
    EXPECT_EQ(pool.active_count(), 1u);
    task.cancel();
    yield_times(4);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    expect_balance(pool);
    EXPECT_TRUE(pool.breaker().is_active());
  });
}

TEST_P(PoolHooksTest, AnApprovalThatEndsRightAfterItsWaiterLeftGoesToThePool) {
  // PO-02 R2
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    Latch may_end(1);
    options.before_acquire = [&](Thing&) {
      may_end.wait();
      return true;
    };
    Pool<Thing> pool(std::move(options));
    auto leaver = spawn([&] { (void)pool.acquire(1h); });
    yield_times(3);
    may_end.count_down();  // the check is woken first, the one who waits for it has not run when it ends
    leaver.cancel();
    yield_times(3);
    EXPECT_TRUE(leaver.is_cancelled());
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_EQ(pool.statistics().reserved, 0u);
    expect_balance(pool);
  });
}

TEST_P(PoolHooksTest, ADestructorRunsItsCourseInACancelledCoroutine) {
  run([&] {
    Service service;
    bool is_through = false;
    auto options = service.options(1, 1);
    options.destructor = [&](Thing&) {
      yield();
      is_through = true;
    };
    Pool<Thing> pool(std::move(options));
    auto task = spawn([&] {
      auto lease = pool.acquire();
      lease.mark(ResourceState::broken);
      current_coroutine().cancel();
    });
    yield_times(3);
    EXPECT_TRUE(is_through);
    EXPECT_EQ(pool.statistics().destroyed, 1u);
    (void)task;
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolHooksTest);

}  // namespace
}  // namespace trueasync::test
