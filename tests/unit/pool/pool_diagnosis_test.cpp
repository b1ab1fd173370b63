// What a timeout says, and what a deadlock report says about a pool.
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

PoolDiagnosis timed_out(Pool<Thing>& pool, std::chrono::nanoseconds timeout) {
  try {
    (void)pool.acquire(timeout);
  } catch (const PoolTimeoutError& error) {
    EXPECT_EQ(error.what(), error.diagnosis().text);
    return error.diagnosis();
  }
  ADD_FAILURE() << "no timeout";
  return {};
}

TEST(PoolDiagnosis, SlowHoldersAreNamedWithTheirPlaces) {
  // PO-20 POOL-10
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(2, 2);
    options.name = "db";
    Pool<Thing> pool(std::move(options));
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
    const PoolDiagnosis found = timed_out(pool, 5s);
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

TEST(PoolDiagnosis, ResourcesThatComeBackTooSlowlyForSoManyAreExhausted) {
  // PO-20
  simulate([](testing::Simulation&) {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
    std::vector<Task<void>> users;
    for (int i = 0; i < 20; ++i) {
      users.push_back(spawn([&] {
        auto lease = pool.acquire();
        delay(1s);
      }));
    }
    yield();
    const PoolDiagnosis found = timed_out(pool, 5500ms);
    EXPECT_EQ(found.cause, PoolTimeoutCause::exhausted);
    EXPECT_TRUE(found.last_failure.empty());
    for (auto& user : users) await(user);
  });
}

TEST(PoolDiagnosis, AServiceThatIsDownIsSaidToBe) {
  // PO-20
  simulate([](testing::Simulation&) {
    Service service;
    service.is_down = true;
    auto options = service.options(2);
    options.backoff_initial = 10s;
    options.backoff_max = 10s;
    Pool<Thing> pool(std::move(options));
    EXPECT_THROW((void)pool.acquire(), std::runtime_error);
    PoolDiagnosis found = timed_out(pool, 1s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::service_down);
    EXPECT_EQ(found.last_failure, "refused");
    EXPECT_NE(found.text.find("the last with: refused"), std::string::npos);
    service.is_down = false;
    service.takes = 1h;
    delay(20s);
    found = timed_out(pool, 1s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::service_down);
  });
}

TEST(PoolDiagnosis, WhatIsHeldByOneThatHasEndedIsLeaked) {
  // PO-29
  simulate([](testing::Simulation&) {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
    detail::LeaseHandle ticket;
    await(spawn([&] {
      ticket = detail::Access::core(pool).acquire({}, SourceLocation::current());
    }));  // as C code may forget it
    const PoolDiagnosis found = timed_out(pool, 1s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::leaked);
    ASSERT_EQ(found.holders.size(), 1u);
    EXPECT_TRUE(found.holders[0].has_ended);
    EXPECT_NE(found.text.find("which has ended"), std::string::npos);
    detail::Access::core(pool).release_lease(ticket);
  });
}

TEST(PoolDiagnosis, ManyWhoRunOutOfTimeTogetherAreToldQuickly) {
  simulate([](testing::Simulation&) {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
    auto lease = pool.acquire();
    std::vector<Task<void>> all;
    for (int i = 0; i < 3000; ++i) {
      all.push_back(spawn([&] { EXPECT_THROW((void)pool.acquire(1s), PoolTimeoutError); }));
    }
    for (auto& task : all) await(task);
    EXPECT_EQ(pool.statistics().timeouts, 3000u);
    EXPECT_EQ(pool.statistics().waiting, 0u);
  });
}

TEST(PoolDiagnosis, WhoeverWaitsForItselfIsTold) {
  // PO-20
  simulate([](testing::Simulation&) {
    Service service;
    Pool<Thing> pool(service.options(2));
    auto first = pool.acquire();
    auto second = pool.acquire();
    const PoolDiagnosis found = timed_out(pool, 1s);
    EXPECT_TRUE(found.is_self_deadlock);
    EXPECT_NE(found.text.find("hint: "), std::string::npos);
  });
}

TEST(PoolDiagnosis, AHookThatTakesTooLongIsSaidTo) {
  // POOL-10
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(1, 1);
    options.before_acquire = [](Thing&) {
      delay(1h);
      return true;
    };
    Pool<Thing> pool(std::move(options));
    const PoolDiagnosis found = timed_out(pool, 1s);
    EXPECT_EQ(found.cause, PoolTimeoutCause::service_down);
    EXPECT_NE(found.text.find("before_acquire"), std::string::npos);
  });
}

TEST(PoolDiagnosis, ADeadlockReportHasTheFigures) {
  // PO-21 DLK-01
  simulate([](testing::Simulation&) {
    Service service;
    auto options = service.options(1, 1);
    options.name = "db";
    Pool<Thing> pool(std::move(options));
    auto lease = pool.acquire();
    try {
      (void)pool.acquire();
      ADD_FAILURE();
    } catch (const DeadlockError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("a resource of a pool (\"db\") (0 idle, 1 active, 0 reserved, max 1, 1 wait"),
                std::string::npos)
          << text;
      EXPECT_NE(text.find("all with coroutine #1"), std::string::npos) << text;
      EXPECT_NE(text.find("wait cycle"), std::string::npos) << text;
    }
  });
}

}  // namespace
}  // namespace trueasync::test
