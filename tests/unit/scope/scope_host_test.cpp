// What a host keeps with scopes, and how it hears of cancellations.
#include <memory>
#include <vector>

#include "scheduler/scheduler.hpp"
#include "scope/scope_state.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class ScopeHosts : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ScopeHosts);

TEST_P(ScopeHosts, WhatAHostKeepsWithAScopeLivesAsLongAsThat) {
  run([] {
    const auto record = std::make_shared<int>(1);
    Task<void> last;
    {
      Scope scope = Scope::inherit();
      scope.allow_zombies();
      detail::Access::state(scope).host = record;
      last = scope.spawn([] { delay(1ms); });
    }
    EXPECT_EQ(record.use_count(), 2);
    await(std::move(last));
    last = {};
    yield();
    EXPECT_EQ(record.use_count(), 1);
  });
}

TEST_P(ScopeHosts, TheRecordGoesBeforeTheScopesAbove) {
  run([] {
    Scope above = Scope::inherit();
    detail::ScopeState* parent = &detail::Access::state(above);
    bool was_there = false;
    {
      Scope scope = Scope::inherit(above);
      const Ref<detail::ScopeState> keep(parent);
      detail::Access::state(scope).host =
          std::shared_ptr<void>(nullptr, [&](void*) { was_there = !parent->children().empty(); });
    }
    EXPECT_TRUE(was_there);
    EXPECT_TRUE(above.children().empty());
  });
}

std::vector<std::uint64_t> asked;

TEST_P(ScopeHosts, AHostHearsOfEveryCancellationBeforeItIsDelivered) {
  run([] {
    static constexpr detail::HostHooks kHooks{[](detail::ControlBlock&, bool) noexcept {},
                                              [](detail::ControlBlock&) noexcept {}, nullptr,
                                              [](detail::ControlBlock& block) noexcept { asked.push_back(block.id); }};
    asked.clear();
    detail::Scheduler::current()->set_host(&kHooks);
    Scope scope = Scope::inherit();
    Task<void> one = scope.spawn([] { delay(1h); });
    Task<void> two = spawn([] { delay(1h); });
    Task<void> over = spawn([] {});
    await(over);
    scope.cancel();
    two.cancel();
    over.cancel();
    EXPECT_EQ(asked, (std::vector<std::uint64_t>{one.id(), two.id()}));
    EXPECT_THROW(await(one), Cancelled);
    EXPECT_THROW(await(two), Cancelled);
    detail::Scheduler::current()->set_host(nullptr);
  });
}

}  // namespace
}  // namespace trueasync::test
