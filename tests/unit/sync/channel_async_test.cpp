// Channel: recv_async() and receive_event().
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "close_reason.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/scope/select.hpp"
#include "trueasync/sync/channel.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class ChannelAsyncTest : public test::ReactorTest {};

// CH-01 CH-11 R1 CXL-05
TEST_P(ChannelAsyncTest, UnobservedValueOfFutureReturnsToChannel) {
  run([&] {
    Channel<int> channel(2);
    auto waiter = spawn([&] { await(channel.recv_async()); });
    yield();
    channel.send(1);
    channel.send(2);
    waiter.cancel();  // granted 1, has not run
    yield();
    EXPECT_EQ(channel.count(), 2u);
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(channel.recv(), 2);
  });
}

// CH-11 R1
TEST_P(ChannelAsyncTest, ValueOfDestroyedFutureGoesToNextReceiver) {
  run([&] {
    Channel<int> channel;
    auto first = channel.recv_async();
    auto second = channel.recv_async();
    auto next = spawn([&] { return channel.recv(); });
    yield();
    channel.send(1);
    channel.send(2);
    second = {};  // its value goes to the waiting receiver
    EXPECT_EQ(await(next), 2);
    first = {};
    EXPECT_EQ(channel.try_recv(), 1);
  });
}

// CH-11 R1
TEST_P(ChannelAsyncTest, ValueOfIgnoredFutureReturnsToChannel) {
  run([&] {
    Channel<int> channel(1);
    channel.send(1);
    { auto fulfilled = channel.recv_async().ignore(); }
    EXPECT_EQ(channel.try_recv(), 1);
  });
}

// CH-11
TEST_P(ChannelAsyncTest, FutureSettledByOtherCodeReceivesNothing) {
  run([&] {
    Channel<int> channel(1);
    auto& state = static_cast<detail::ChannelState<int>&>(channel.base());
    using Receive = detail::ReceiveFuture<int>;
    const auto future =
        Ref<Receive>::adopt(new Receive(Ref<detail::ChannelState<int>>(&state), SourceLocation::current()));
    future->begin();
    future->remove_from_queue();
    future->settle(detail::FuturePhase::cancelled, std::make_exception_ptr(7), SourceLocation::current());
    channel.send(1);
    EXPECT_EQ(channel.try_recv(), 1);
    channel.close();
    EXPECT_EQ(future->phase(), detail::FuturePhase::cancelled);
  });
}

TEST_P(ChannelAsyncTest, ForEachValueVisitsInReceiveOrder) {
  run([&] {
    Channel<int> channel(2);
    { auto returned = (channel.send(1), channel.recv_async()); }
    channel.send(2);
    auto sender = spawn([&] { channel.send(3); });
    yield();
    std::vector<int> visited;
    static_cast<detail::ChannelState<int>&>(channel.base()).for_each_value([&](int value) {
      visited.push_back(value);
    });
    EXPECT_EQ(visited, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(channel.recv(), 1);
    await(sender);
  });
}

TEST_P(ChannelAsyncTest, ObservedValueDoesNotReturnToChannel) {
  run([&] {
    Channel<int> channel(1);
    {
      auto future = channel.recv_async();
      channel.send(1);
      EXPECT_EQ(await(future), 1);
      channel.send(2);
      EXPECT_EQ(await(channel.recv_async().map([](int value) { return value * 10; })), 20);
      channel.send(3);
      EXPECT_EQ(await(channel.recv_async()), 3);
    }
    EXPECT_FALSE(channel.try_recv());
  });
}

// AW-03 CH-12
TEST_P(ChannelAsyncTest, CloseDoesNotMakePendingFutureUnhandled) {
  run([&] {
    Channel<int> channel;
    auto future = channel.recv_async();
    channel.close();
    auto late = channel.recv_async();
  });
}

// CH-14 CH-15
TEST_P(ChannelAsyncTest, ChannelTimeoutsApplyToFuturesAndSelect) {
  run([&] {
    const ChannelOptions options{.no_producer_timeout = 5ms, .timer_mode = ChannelTimerMode::foreground};
    Channel<int> one(options);
    auto future = one.recv_async();
    EXPECT_EQ(reason_of([&] { await(future); }), CloseReason::no_producers);
    Channel<int> two(options);
    EXPECT_EQ(reason_of([&] { select(on(two, [](int) {})); }), CloseReason::no_producers);
    Channel<int> three(options);
    three.recv_async();
    select(on(three, [](int) {}), on(timeout(0ms), [] {}));
    EXPECT_EQ(scheduler().reactor().timers().size(), 0u);  // no timer is armed without waiters
  });
}

TEST_P(ChannelAsyncTest, FutureWithTimeoutMayOutliveRuntime) {
  auto runtime = test::make_runtime(GetParam());
  std::optional<Channel<int>> channel;
  Future<int> future;
  runtime->run([&] {
    channel.emplace(ChannelOptions{.no_producer_timeout = 1h});
    future = channel->recv_async();
  });
  runtime.reset();
  channel->close();
  EXPECT_TRUE(future.is_failed());
}

// CH-14
TEST_P(ChannelAsyncTest, DeadlockClosesOnlyChannelsWithWaiters) {
  run([&] {
    Channel<int> one(1), two;
    one.send(1);
    auto first = one.receive_event();
    auto second = two.receive_event();
    Event* both[] = {first.get(), second.get()};
    wait_all(both);
    EXPECT_EQ(first->take(), 1);
    EXPECT_FALSE(one.is_closed());
    EXPECT_EQ(reason_of([&] { second->take(); }), CloseReason::deadlock);
  });
}

TEST_P(ChannelAsyncTest, ValuesNeedNotBeAssignable) {
  struct Fixed {
    const int value;
  };
  run([&] {
    Channel<Fixed> channel(1);
    auto receiver = spawn([&] { channel.recv(); });
    yield();
    channel.send({1});
    receiver.cancel();
    yield();
    EXPECT_EQ(channel.recv().value, 1);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(ChannelAsyncTest);

}  // namespace
}  // namespace trueasync
