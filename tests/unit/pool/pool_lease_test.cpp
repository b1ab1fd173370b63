// Release of leases: by any end of the holder, during unwinding, and twice.
#include "pool_support.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

class PoolLeaseTest : public ReactorTest {};

// PO-29
TEST_P(PoolLeaseTest, LeaseIsReleasedHoweverHolderEnds) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(1, 1));
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
    expect_consistent_counts(pool);
  });
}

TEST_P(PoolLeaseTest, OnUnwindDiscardDestroysUnwoundLease) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.on_unwind = OnUnwind::discard;
    Pool<Connection> pool(std::move(options));
    auto cancelled = spawn([&] {
      auto lease = pool.acquire();
      delay(1h);  // in the middle of a response
    });
    yield();
    cancelled.cancel();
    yield_times(4);
    EXPECT_EQ(service.destroyed, std::vector<int>{1});
    EXPECT_EQ(pool.acquire()->number, 2);
    struct AcquireInDestructor {
      Pool<Connection>& pool;
      ~AcquireInDestructor() { (void)pool.acquire(); }  // acquired and released during unwinding: not unwound itself
    };
    try {
      AcquireInDestructor guard{pool};
      throw std::runtime_error("other");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(service.destroyed.size(), 1u);
    expect_consistent_counts(pool);
  });
}

// PO-27
TEST_P(PoolLeaseTest, SecondReleaseIsMisuseWithoutEffect) {
  run([&] {
    Service service;
    Pool<Connection> pool(service.options(2, 1));
    Pool<Connection> other(service.options(1, 1));
    auto lease = pool.acquire();
    const detail::LeaseHandle handle = lease.handle();
    EXPECT_THROW(other.release(std::move(lease)), MisuseError);
    EXPECT_THROW(detail::Access::core(other).release_lease(handle), MisuseError);
    EXPECT_TRUE(lease);
    pool.release(std::move(lease));
    EXPECT_THROW(lease.release(), MisuseError);
    EXPECT_THROW(pool.release(std::move(lease)), MisuseError);
    EXPECT_THROW(detail::Access::core(pool).release_lease(handle), MisuseError);
    auto again = pool.acquire();
    EXPECT_EQ(again.handle().slot, handle.slot);
    EXPECT_THROW(detail::Access::core(pool).release_lease(handle),
                 MisuseError);  // the same resource, but a newer lease
    EXPECT_EQ(pool.active_count(), 1u);
    EXPECT_EQ(pool.idle_count(), 0u);
    expect_consistent_counts(pool);
    expect_consistent_counts(other);
  });
}

// PO-27
TEST_P(PoolLeaseTest, SecondReleaseDuringSuspendedHookIsMisuse) {
  run([&] {
    Service service;
    auto options = service.options(1, 1);
    options.before_release = [](Connection&) {
      yield();
      return true;
    };
    Pool<Connection> pool(std::move(options));
    const auto handle = detail::Access::core(pool).acquire({}, SourceLocation::current());
    auto first = spawn([&] { detail::Access::core(pool).release_lease(handle); });
    yield();
    EXPECT_THROW(detail::Access::core(pool).release_lease(handle), MisuseError);
    await(first);
    EXPECT_EQ(pool.idle_count(), 1u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(PoolLeaseTest);

}  // namespace
}  // namespace trueasync::test
