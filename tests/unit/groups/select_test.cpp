// select: which case is chosen, what it is given, and that the others lose nothing.
#include "trueasync/select.hpp"

#include "support/reactor_test.hpp"
#include "trueasync/channel.hpp"
#include "trueasync/future.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Select : public ReactorTest {};

TEST_P(Select, GivesTheHandlerTheValueThatCame) {
  run([] {
    Channel<int> numbers;
    Channel<std::unique_ptr<int>> boxes;
    auto task = spawn([] { return delay(1h), std::string("late"); });
    spawn([&] { boxes.send(std::make_unique<int>(7)); });
    int got = 0;
    const std::size_t chosen =
        select(on(numbers, [&](int value) { got = value; }), on(boxes, [&](std::unique_ptr<int> box) { got = *box; }),
               on(task, [&](const std::string&) { got = -1; }));
    EXPECT_EQ(chosen, 1u);
    EXPECT_EQ(got, 7);
    task.cancel();
  });
}

TEST_P(Select, ReturnsWhatTheHandlerReturns) {
  run([] {
    Promise<int> promise;
    spawn([&] { promise.complete(5); });
    Channel<int> never;
    EXPECT_EQ(select(on(never, [](int) { return std::string("channel"); }),
                     on(promise.future(), [](int value) { return std::to_string(value); })),
              "5");
  });
}

TEST_P(Select, ATimerEndsItAndNothingStaysBehind) {
  // CA-04
  run([] {
    Channel<int> channel;
    auto task = spawn([] { delay(1h); });
    EXPECT_EQ(select(on(channel, [](int) {}), on(task, [] {}), on(timeout(1ms), [] {})), 2u);
    EXPECT_FALSE(task.event().has_subscribers());
    EXPECT_FALSE(channel.try_send(1));  // no receiver is left in the queue
    task.cancel();
  });
}

TEST_P(Select, TheFirstOfThoseThatAreReadyWins) {
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
    EXPECT_EQ(pick(), 2);  // what was not chosen is still there
    EXPECT_EQ(pick(), 0);
    EXPECT_EQ(runtime().statistics().switches, before.switches);
  });
}

TEST_P(Select, AClosedChannelIsAnErrorUnlessTheHandlerTakesNothing) {
  run([] {
    Channel<int> channel;
    channel.close();
    EXPECT_THROW(select(on(channel, [](int) {})), ChannelError);
    EXPECT_TRUE(select(on(channel, [](std::optional<int> value) { return !value; })));
  });
}

TEST_P(Select, ThrowsWhatTheChosenOneFailedWith) {
  // AW-03
  run([] {
    Channel<int> never;
    EXPECT_THROW(select(on(never, [](int) {}), on(spawn([]() -> int { throw std::logic_error("bad"); }), [](int) {})),
                 std::logic_error);
    auto cancelled = spawn([] { delay(1h); });
    cancelled.cancel();
    EXPECT_THROW(select(on(cancelled, [] {})), Cancelled);
  });
}

TEST_P(Select, AValueForACancelledSelectGoesToTheNext) {
  // R1
  run([] {
    Channel<int> channel;
    Trigger other;
    auto chooser = spawn([&] { select(on(channel, [](int) { ADD_FAILURE(); }), on(other, [] {})); });
    auto next = spawn([&] { return channel.recv(); });
    yield();
    yield();
    channel.send(3);  // promised to the chooser
    chooser.cancel();
    EXPECT_EQ(await(next), 3);
    EXPECT_THROW(await(chooser), Cancelled);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Select);

}  // namespace
}  // namespace trueasync::test
