// HookKind::nonblocking: a before_acquire that never suspends, in an acquire with a timeout.
#include "pool_support.hpp"

namespace trueasync::test {
namespace {

class NonblockingHookTest : public ReactorTest {};

TEST_P(NonblockingHookTest, HookRunsInCallersCoroutine) {
  run([&] {
    Service service;
    std::vector<std::uint64_t> callers;
    auto options = service.options(2);
    options.before_acquire = [&](Connection& connection) {
      callers.push_back(current_coroutine().id());
      return connection.is_healthy;
    };
    options.before_acquire_kind = HookKind::nonblocking;
    Pool<Connection> pool(std::move(options));
    { auto fresh = pool.acquire(1s); }
    {
      auto used = pool.acquire(1s);
      EXPECT_EQ(callers, std::vector{current_coroutine().id()});
      used->is_healthy = false;
    }
    EXPECT_TRUE(pool.acquire(1s)->is_healthy);  // a new resource
    EXPECT_EQ(pool.statistics().failed_checks, 1u);
    expect_consistent_counts(pool);
  });
}

TEST_P(NonblockingHookTest, SuspendingInHookIsMisuse) {
  run([&] {
    Service service;
    auto options = service.options(1);
    options.before_acquire = [](Connection&) {
      delay(1ms);
      return true;
    };
    options.before_acquire_kind = HookKind::nonblocking;
    Pool<Connection> pool(std::move(options));
    { auto fresh = pool.acquire(1s); }
    EXPECT_THROW(pool.acquire(1s), MisuseError);
    EXPECT_EQ(pool.count(), 0u);
    expect_consistent_counts(pool);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(NonblockingHookTest);

}  // namespace
}  // namespace trueasync::test
