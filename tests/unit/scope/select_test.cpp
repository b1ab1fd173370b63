// select: the chosen case, the value passed to its handler, and that other sources lose nothing.
#include "trueasync/scope/select.hpp"

#include "support/reactor_test.hpp"
#include "trueasync/sync/channel.hpp"
#include "trueasync/sync/future.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class SelectTest : public ReactorTest {};

TEST_P(SelectTest, PassesReceivedValueToHandler) {
  run([] {
    Channel<int> numbers;
    Channel<std::unique_ptr<int>> boxes;
    auto task = spawn([] { return delay(1h), std::string("late"); });
    spawn([&] { boxes.send(std::make_unique<int>(7)); });
    int received = 0;
    const std::size_t chosen = select(on(numbers, [&](int value) { received = value; }),
                                      on(boxes, [&](std::unique_ptr<int> box) { received = *box; }),
                                      on(task, [&](const std::string&) { received = -1; }));
    EXPECT_EQ(chosen, 1u);
    EXPECT_EQ(received, 7);
    task.cancel();
  });
}

TEST_P(SelectTest, ReturnsResultOfHandler) {
  run([] {
    Promise<int> promise;
    spawn([&] { promise.complete(5); });
    Channel<int> never;
    EXPECT_EQ(select(on(never, [](int) { return std::string("channel"); }),
                     on(promise.future(), [](int value) { return std::to_string(value); })),
              "5");
  });
}

// CA-04
TEST_P(SelectTest, TimerEndsWaitAndUnsubscribesAll) {
  run([] {
    Channel<int> channel;
    auto task = spawn([] { delay(1h); });
    EXPECT_EQ(select(on(channel, [](int) {}), on(task, [] {}), on(timeout(1ms), [] {})), 2u);
    EXPECT_FALSE(task.event().has_subscribers());
    EXPECT_FALSE(channel.try_send(1));  // no receiver is left in the queue
    task.cancel();
  });
}

TEST_P(SelectTest, FirstReadyCaseWins) {
  run([this] {
    Channel<int> first(1);
    Channel<int> second(1);
    first.send(1);
    second.send(2);
    const auto before = runtime().statistics();
    const auto pick = [&] {
      return select(on(first, [](int value) { return value; }), on(second, [](int value) { return value; }),
                    on(timeout(0ms), [] { return 0; }));
    };
    EXPECT_EQ(pick(), 1);
    EXPECT_EQ(pick(), 2);  // the other channel still has its value
    EXPECT_EQ(pick(), 0);
    EXPECT_EQ(runtime().statistics().switches, before.switches);
  });
}

TEST_P(SelectTest, ClosedChannelThrowsUnlessHandlerTakesOptional) {
  run([] {
    Channel<int> channel;
    channel.close();
    EXPECT_THROW(select(on(channel, [](int) {})), ChannelError);
    EXPECT_TRUE(select(on(channel, [](std::optional<int> value) { return !value; })));
  });
}

// AW-03
TEST_P(SelectTest, ThrowsErrorOfChosenCase) {
  run([] {
    Channel<int> never;
    EXPECT_THROW(select(on(never, [](int) {}), on(spawn([]() -> int { throw std::logic_error("bad"); }), [](int) {})),
                 std::logic_error);
    auto cancelled = spawn([] { delay(1h); });
    cancelled.cancel();
    EXPECT_THROW(select(on(cancelled, [] {})), Cancelled);
  });
}

// R1
TEST_P(SelectTest, ValueOfCancelledSelectGoesToNextReceiver) {
  run([] {
    Channel<int> channel;
    Trigger other;
    auto selecting = spawn([&] { select(on(channel, [](int) { ADD_FAILURE(); }), on(other, [] {})); });
    auto next = spawn([&] { return channel.recv(); });
    yield();
    yield();
    channel.send(3);  // granted to the select
    selecting.cancel();
    EXPECT_EQ(await(next), 3);
    EXPECT_THROW(await(selecting), Cancelled);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(SelectTest);

}  // namespace
}  // namespace trueasync::test
