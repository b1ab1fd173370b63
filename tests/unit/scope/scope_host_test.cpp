// Host data of scopes and the cancellation hook of a host.
#include <memory>
#include <vector>

#include "scheduler/scheduler.hpp"
#include "scope/scope_state.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class ScopeHostTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ScopeHostTest);

TEST_P(ScopeHostTest, HostDataLivesAsLongAsScope) {
  run([] {
    const auto data = std::make_shared<int>(1);
    Task<void> task;
    {
      Scope scope = Scope::inherit();
      scope.allow_zombies();
      detail::Access::state(scope).host = data;
      task = scope.spawn([] { delay(1ms); });
    }
    EXPECT_EQ(data.use_count(), 2);
    await(std::move(task));
    task = {};
    yield();
    EXPECT_EQ(data.use_count(), 1);
  });
}

TEST_P(ScopeHostTest, HostDataIsDestroyedBeforeParentScope) {
  run([] {
    Scope parent_scope = Scope::inherit();
    detail::ScopeState* parent = &detail::Access::state(parent_scope);
    bool was_linked = false;
    {
      Scope scope = Scope::inherit(parent_scope);
      const Ref<detail::ScopeState> keep_alive(parent);
      detail::Access::state(scope).host =
          std::shared_ptr<void>(nullptr, [&](void*) { was_linked = !parent->children().empty(); });
    }
    EXPECT_TRUE(was_linked);
    EXPECT_TRUE(parent_scope.children().empty());
  });
}

std::vector<std::uint64_t> notified_ids;

TEST_P(ScopeHostTest, HostIsNotifiedBeforeCancellationIsDelivered) {
  run([] {
    static constexpr detail::HostHooks kHooks{
        [](detail::ControlBlock&, bool) noexcept {}, [](detail::ControlBlock&) noexcept {}, nullptr,
        [](detail::ControlBlock& block) noexcept { notified_ids.push_back(block.id); }};
    notified_ids.clear();
    detail::Scheduler::current()->set_host(&kHooks);
    Scope scope = Scope::inherit();
    Task<void> first = scope.spawn([] { delay(1h); });
    Task<void> second = spawn([] { delay(1h); });
    Task<void> finished = spawn([] {});
    await(finished);
    scope.cancel();
    second.cancel();
    finished.cancel();
    EXPECT_EQ(notified_ids, (std::vector<std::uint64_t>{first.id(), second.id()}));
    EXPECT_THROW(await(first), Cancelled);
    EXPECT_THROW(await(second), Cancelled);
    detail::Scheduler::current()->set_host(nullptr);
  });
}

}  // namespace
}  // namespace trueasync::test
