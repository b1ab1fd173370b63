// The diagnosis of a timeout, and the line of a pool in a deadlock report.
#include "pool_support.hpp"

#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

template <class F>
void simulate(F&& scenario) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run([&] { scenario(simulation); });
  expect_no_leaks(simulation.runtime());
}

PoolDiagnosis diagnose_timeout(Pool<Connection>& pool, std::chrono::nanoseconds timeout) {
  try {
    (void)pool.acquire(timeout);
  } catch (const PoolTimeoutError& error) {
    EXPECT_EQ(error.what(), error.diagnosis().text);
    return error.diagnosis();
  }
  ADD_FAILURE() << "no timeout";
  return {};
}

// PO-20 POOL-10
TEST(PoolDiagnosis, SlowHoldersAreReportedWithLocation) {
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(2, 2);
    options.name = "db";
    Pool<Connection> pool(std::move(options));
    auto report = spawn({.name = "report"}, [&] {
      auto lease = pool.acquire();
      delay(20s);
    });
    const unsigned line = __LINE__ - 3;
    delay(3s);
    auto later = spawn([&] {
      auto lease = pool.acquire();
      delay(20s);
    });
    yield();
    const PoolDiagnosis found = diagnose_timeout(pool, 5s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::slow_holders);
    ASSERT_EQ(found.holders.size(), 2u);
    EXPECT_EQ(found.holders[0].name, "report");
    EXPECT_EQ(found.holders[0].acquire_location.line(), line);
    EXPECT_EQ(found.holders[0].held, 8s);
    EXPECT_EQ(found.holders[1].held, 5s);
    EXPECT_FALSE(found.is_self_deadlock);
    for (const char* part : {"5000 ms", "slow holders", "\"db\"", "\"report\" for 8000 ms", "pool_diagnosis_test.cpp",
                             "max 2", "0 idle, 2 active, 0 reserved"}) {
      EXPECT_NE(found.text.find(part), std::string::npos) << part << " in " << found.text;
    }
    EXPECT_EQ(pool.holders().size(), 2u);
    await(report);
    await(later);
  });
}

// PO-20
TEST(PoolDiagnosis, TooManyWaitersAreReportedAsExhausted) {
  simulate([](testing::Simulation&) {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    std::vector<Task<void>> users;
    for (int i = 0; i < 20; ++i) {
      users.push_back(spawn([&] {
        auto lease = pool.acquire();
        delay(1s);
      }));
    }
    yield();
    const PoolDiagnosis found = diagnose_timeout(pool, 5500ms);
    EXPECT_EQ(found.cause, PoolTimeoutCause::exhausted);
    EXPECT_TRUE(found.last_failure.empty());
    for (auto& user : users) await(user);
  });
}

// PO-20
TEST(PoolDiagnosis, FailingFactoryIsReportedAsServiceDown) {
  simulate([](testing::Simulation&) {
    Service service;
    service.is_down = true;
    auto options = service.options(2);
    options.backoff_initial = 10s;
    options.backoff_max = 10s;
    Pool<Connection> pool(std::move(options));
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    PoolDiagnosis found = diagnose_timeout(pool, 1s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::service_down);
    EXPECT_EQ(found.last_failure, "refused");
    EXPECT_NE(found.text.find("last failure: refused"), std::string::npos);
    service.is_down = false;
    service.create_delay = 1h;
    delay(20s);
    found = diagnose_timeout(pool, 1s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::service_down);
  });
}

// PO-29
TEST(PoolDiagnosis, LeaseOfFinishedCoroutineIsReportedAsLeaked) {
  simulate([](testing::Simulation&) {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    detail::LeaseHandle handle;
    await(spawn([&] {
      handle = detail::Access::core(pool).acquire({}, SourceLocation::current());
    }));  // a lease that C code never releases
    const PoolDiagnosis found = diagnose_timeout(pool, 1s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::leaked);
    ASSERT_EQ(found.holders.size(), 1u);
    EXPECT_TRUE(found.holders[0].has_ended);
    EXPECT_NE(found.text.find("(finished)"), std::string::npos);
    detail::Access::core(pool).release_lease(handle);
  });
}

TEST(PoolDiagnosis, ThousandsOfSimultaneousTimeoutsAreFast) {
  simulate([](testing::Simulation&) {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
    auto lease = pool.acquire();
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 3000; ++i) {
      tasks.push_back(spawn([&] { EXPECT_THROW((void)pool.acquire(1s), PoolTimeoutError); }));
    }
    for (auto& task : tasks) await(task);
    EXPECT_EQ(pool.statistics().timeouts, 3000u);
    EXPECT_EQ(pool.statistics().waiting, 0u);
  });
}

// PO-20
TEST(PoolDiagnosis, SelfDeadlockIsReported) {
  simulate([](testing::Simulation&) {
    Service service;
    Pool<Connection> pool(service.options(2));
    auto first = pool.acquire();
    auto second = pool.acquire();
    const PoolDiagnosis found = diagnose_timeout(pool, 1s);
    EXPECT_TRUE(found.is_self_deadlock);
    EXPECT_NE(found.text.find("hint: "), std::string::npos);
  });
}

// POOL-10
TEST(PoolDiagnosis, SlowBeforeAcquireIsReported) {
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(1, 1);
    options.before_acquire = [](Connection&) {
      delay(1h);
      return true;
    };
    Pool<Connection> pool(std::move(options));
    const PoolDiagnosis found = diagnose_timeout(pool, 1s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::service_down);
    EXPECT_NE(found.text.find("before_acquire"), std::string::npos);
  });
}

// PO-21 DLK-01
TEST(PoolDiagnosis, DeadlockReportContainsCounts) {
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(1, 1);
    options.name = "db";
    Pool<Connection> pool(std::move(options));
    auto lease = pool.acquire();
    try {
      (void)pool.acquire();
      ADD_FAILURE();
    } catch (const DeadlockError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("a resource of pool \"db\" (0 idle, 1 active, 0 reserved, max 1, 1 waiting"),
                std::string::npos)
          << text;
      EXPECT_NE(text.find("all leased by coroutine #1"), std::string::npos) << text;
      EXPECT_NE(text.find("wait cycle"), std::string::npos) << text;
    }
  });
}

}  // namespace
}  // namespace trueasync::test
