// Merging and holding back changes, in virtual time.
#include "io/fs_change_queue.hpp"

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::FsChangeQueue;
using detail::FsDebounce;

class FsChangeQueueTest : public ::testing::Test {
 protected:
  Ref<FsChangeQueue> make(FsDebounce hold) {
    return Ref<FsChangeQueue>::adopt(new FsChangeQueue(reactor_, hold, "place"));
  }
  static void push(FsChangeQueue& queue, const std::string& name, bool renamed = false) {
    FsEvent event;
    event.filename = name;
    event.renamed = renamed;
    event.changed = !renamed;
    queue.push(std::move(event));
  }
  static std::vector<std::string> take_all(FsChangeQueue& queue) {
    std::vector<std::string> names;
    while (auto event = queue.take()) {
      EXPECT_EQ(event->path, "place");
      names.push_back(event->filename + (event->renamed ? " renamed" : "") + (event->changed ? " changed" : ""));
    }
    return names;
  }
  // Virtual time passes; what is due fires.
  void pass(std::chrono::nanoseconds time) {
    reactor_.advance(time);
    reactor_.run_once(true);
  }

  detail::SimReactor reactor_;
};

using Names = std::vector<std::string>;

TEST_F(FsChangeQueueTest, ChangesOfTheSameFileAreOne) {
  // FS-02
  auto queue = make({});
  push(*queue, "a", true);
  push(*queue, "b");
  push(*queue, "a");
  EXPECT_EQ(take_all(*queue), (Names{"a renamed changed", "b changed"}));
  push(*queue, "a");
  EXPECT_EQ(take_all(*queue), Names{"a changed"}) << "what was fetched takes up nothing any more";
}

TEST_F(FsChangeQueueTest, WithoutMergingEachIsTold) {
  auto queue = make({.coalesce = false});
  for (int i = 0; i < 3; ++i) push(*queue, "a");
  EXPECT_EQ(take_all(*queue), (Names{"a changed", "a changed", "a changed"}));
}

TEST_F(FsChangeQueueTest, HeldBackUntilItIsQuiet) {
  // FS-02
  auto queue = make({.debounce = 10ms});
  push(*queue, "a");
  EXPECT_EQ(take_all(*queue), Names{});
  pass(9ms);
  push(*queue, "b");
  pass(9ms);
  EXPECT_EQ(take_all(*queue), Names{}) << "the second one began the quiet anew";
  pass(1ms);
  EXPECT_EQ(take_all(*queue), (Names{"a changed", "b changed"}));
  EXPECT_EQ(reactor_.timers().size(), 0u);
}

TEST_F(FsChangeQueueTest, AChangeOfTheSameFileBeginsTheQuietAnew) {
  // FS-02
  auto queue = make({.debounce = 10ms});
  for (int i = 0; i < 5; ++i) {
    push(*queue, "a");
    pass(9ms);
    EXPECT_EQ(take_all(*queue), Names{});
  }
  pass(1ms);
  EXPECT_EQ(take_all(*queue), Names{"a changed"});
}

TEST_F(FsChangeQueueTest, HeldNoLongerThanTheMaximum) {
  // FS-02
  auto queue = make({.debounce = 10ms, .max_hold = 25ms});
  int told = 0;
  for (int i = 0; i < 100; ++i) {  // a change every 5 ms, for ever
    push(*queue, "a");
    pass(5ms);
    told += static_cast<int>(take_all(*queue).size());
  }
  EXPECT_EQ(told, 20) << "one each 25 ms of 500";
}

TEST_F(FsChangeQueueTest, AMaximumShorterThanTheQuietWins) {
  auto queue = make({.debounce = 100ms, .max_hold = 5ms});
  push(*queue, "a");
  pass(5ms);
  EXPECT_EQ(take_all(*queue), Names{"a changed"});
}

TEST_F(FsChangeQueueTest, WhatIsReadyStaysReadyWhileOthersAreHeld) {
  auto queue = make({.debounce = 10ms});
  push(*queue, "a");
  pass(10ms);
  push(*queue, "b");
  push(*queue, "a", true);  // merged into what is ready: no new hold
  EXPECT_EQ(take_all(*queue), Names{"a renamed changed"});
  pass(10ms);
  EXPECT_EQ(take_all(*queue), Names{"b changed"});
}

TEST_F(FsChangeQueueTest, TheEndHandsOutWhatWasHeld) {
  auto queue = make({.debounce = 10ms});
  push(*queue, "a");
  queue->end();
  EXPECT_EQ(take_all(*queue), Names{"a changed"});
  push(*queue, "b");
  EXPECT_EQ(take_all(*queue), Names{}) << "nothing follows the end";
  Notification result;
  EXPECT_TRUE(queue->replay(result));
  EXPECT_EQ(reactor_.timers().size(), 0u);
}

TEST_F(FsChangeQueueTest, AWaiterSleepsThroughTheHold) {
  // FS-02
  Runtime runtime({}, std::make_unique<detail::SimReactor>());
  runtime.run([&] {
    detail::Reactor& reactor = runtime.scheduler().reactor();
    auto queue = Ref<FsChangeQueue>::adopt(new FsChangeQueue(reactor, {.debounce = 50ms, .max_hold = 200ms}, "place"));
    const TimePoint start = reactor.now();
    auto waiter = spawn([&] {
      Event* events[] = {queue.get()};
      wait_any(events);
      return reactor.now() - start;
    });
    for (int i = 0; i < 20; ++i) {
      push(*queue, std::to_string(i));
      delay(20ms);
    }
    EXPECT_EQ(await(waiter), 200ms);
  });
  expect_no_leaks(runtime);
}

TEST_F(FsChangeQueueTest, OutlivesItsReactor) {
  auto reactor = std::make_unique<detail::SimReactor>();
  auto queue = Ref<FsChangeQueue>::adopt(new FsChangeQueue(*reactor, {.debounce = 10ms}, "place"));
  push(*queue, "a");
  reactor.reset();
  push(*queue, "b");
  EXPECT_TRUE(queue->start());
}

}  // namespace
}  // namespace trueasync::test
