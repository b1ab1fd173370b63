// Leases that come back in any way, or twice.
#include "pool_support.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolLeaseTest : public ReactorTest {};

TEST_P(PoolLeaseTest, ALeaseComesBackHoweverItsHolderEnds) {
  // PO-29
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(1, 1));
    auto cancelled = spawn([&] {
      auto lease = pool.acquire();
      delay(1h);
    });
    yield();
    EXPECT_EQ(pool.active_count(), 1u);
    cancelled.cancel();
    yield_times(2);
    EXPECT_EQ(pool.idle_count(), 1u);
    EXPECT_THROW(await(spawn([&] {
                   auto lease = pool.acquire();
                   throw std::runtime_error("holder");
                 })),
                 std::runtime_error);
    EXPECT_EQ(pool.idle_count(), 1u);
    expect_balance(pool);
  });
}

TEST_P(PoolLeaseTest, WhatIsUnwoundIsDiscardedIfThatIsWanted) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.on_unwind = OnUnwind::discard;
    Pool<Thing> pool(std::move(options));
    auto cancelled = spawn([&] {
      auto lease = pool.acquire();
      delay(1h);  // in the middle of an answer
    });
    yield();
    cancelled.cancel();
    yield_times(4);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    EXPECT_EQ(pool.acquire()->number, 2);
    struct OnTheWay {
      Pool<Thing>& pool;
      ~OnTheWay() { (void)pool.acquire(); }  // taken and returned while something unwinds: that is not its end
    };
    try {
      OnTheWay on_the_way{pool};
      throw std::runtime_error("other");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(service.destroyed.size(), 1u);
    expect_balance(pool);
  });
}

TEST_P(PoolLeaseTest, ASecondReleaseIsAnErrorThatChangesNothing) {
  // PO-27
  run([&] {
    Service service;
    Pool<Thing> pool(service.options(2, 1));
    Pool<Thing> other(service.options(1, 1));
    auto lease = pool.acquire();
    const detail::LeaseHandle ticket = lease.handle();
    EXPECT_THROW(other.release(std::move(lease)), MisuseError);
    EXPECT_THROW(detail::Access::core(other).release_lease(ticket), MisuseError);
    EXPECT_TRUE(lease);
    pool.release(std::move(lease));
    EXPECT_THROW(lease.release(), MisuseError);
    EXPECT_THROW(pool.release(std::move(lease)), MisuseError);
    EXPECT_THROW(detail::Access::core(pool).release_lease(ticket), MisuseError);
    auto again = pool.acquire();
    EXPECT_EQ(again.handle().slot, ticket.slot);
    EXPECT_THROW(detail::Access::core(pool).release_lease(ticket), MisuseError);  // the same resource, another lease
    EXPECT_EQ(pool.active_count(), 1u);
    EXPECT_EQ(pool.idle_count(), 0u);
    expect_balance(pool);
    expect_balance(other);
  });
}

TEST_P(PoolLeaseTest, ASecondReleaseDuringASuspendedHookIsAnErrorToo) {
  // PO-27
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.before_release = [](Thing&) {
      yield();
      return true;
    };
    Pool<Thing> pool(std::move(options));
    const auto ticket = detail::Access::core(pool).acquire({}, SourceLocation::current());
    auto first = spawn([&] { detail::Access::core(pool).release_lease(ticket); });
    yield();
    EXPECT_THROW(detail::Access::core(pool).release_lease(ticket), MisuseError);
    await(first);
    EXPECT_EQ(pool.idle_count(), 1u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolLeaseTest);

}  // namespace
}  // namespace trueasync::test
