// A before_acquire that never suspends, for those who ask with a limit.
#include "pool_support.hpp"

namespace trueasync::test {
namespace {

class QuickHookTest : public ReactorTest {};

TEST_P(QuickHookTest, IsCalledWhereTheCallerStands) {
  run([&] {
    Service service;
    std::vector<std::uint64_t> callers;
    auto options = service.options(2);
    options.before_acquire = [&](Thing& thing) {
      callers.push_back(current_coroutine().id());
      return thing.is_alive;
    };
    options.before_acquire_kind = HookKind::nonblocking;
    Pool<Thing> pool(std::move(options));
    { auto fresh = pool.acquire(1s); }
    {
      auto used = pool.acquire(1s);
      EXPECT_EQ(callers, std::vector{current_coroutine().id()});
      used->is_alive = false;
    }
    EXPECT_TRUE(pool.acquire(1s)->is_alive);  // a new one
    EXPECT_EQ(pool.statistics().failed_checks, 1u);
    expect_balance(pool);
  });
}

TEST_P(QuickHookTest, MustNotSuspend) {
  run([&] {
    Service service;
    auto options = service.options(1);
    options.before_acquire = [](Thing&) {
      delay(1ms);
      return true;
    };
    options.before_acquire_kind = HookKind::nonblocking;
    Pool<Thing> pool(std::move(options));
    { auto fresh = pool.acquire(1s); }
    EXPECT_THROW(pool.acquire(1s), MisuseError);
    EXPECT_EQ(pool.count(), 0u);
    expect_balance(pool);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(QuickHookTest);

}  // namespace
}  // namespace trueasync::test
