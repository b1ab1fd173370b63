// FsChangeQueue: merging and deferring of changes, in virtual time.
#include "io/fs_change_queue.hpp"

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::FsChangeQueue;
using detail::FsDebounce;

class FsChangeQueueTest : public ::testing::Test {
 protected:
  Ref<FsChangeQueue> make(FsDebounce debounce) {
    return Ref<FsChangeQueue>::adopt(new FsChangeQueue(reactor_, debounce, "root"));
  }
  static void push(FsChangeQueue& queue, const std::string& name, bool renamed = false) {
    FsEvent event;
    event.filename = name;
    event.renamed = renamed;
    event.changed = !renamed;
    queue.push(std::move(event));
  }
  static std::vector<std::string> take_ready(FsChangeQueue& queue) {
    std::vector<std::string> names;
    while (auto event = queue.take()) {
      EXPECT_EQ(event->path, "root");
      names.push_back(event->filename + (event->renamed ? " renamed" : "") + (event->changed ? " changed" : ""));
    }
    return names;
  }
  // Advances the virtual time and fires due timers.
  void advance(std::chrono::nanoseconds time) {
    reactor_.advance(time);
    reactor_.run_once(true);
  }

  detail::SimReactor reactor_;
};

using Names = std::vector<std::string>;

// FS-02
TEST_F(FsChangeQueueTest, MergesChangesOfSameFile) {
  auto queue = make({});
  push(*queue, "a", true);
  push(*queue, "b");
  push(*queue, "a");
  EXPECT_EQ(take_ready(*queue), (Names{"a renamed changed", "b changed"}));
  push(*queue, "a");
  EXPECT_EQ(take_ready(*queue), Names{"a changed"}) << "a taken change is not merged with later ones";
}

TEST_F(FsChangeQueueTest, WithoutCoalesceDeliversEachChange) {
  auto queue = make({.coalesce = false});
  for (int i = 0; i < 3; ++i) push(*queue, "a");
  EXPECT_EQ(take_ready(*queue), (Names{"a changed", "a changed", "a changed"}));
}

// FS-02
TEST_F(FsChangeQueueTest, DefersUntilDebounceElapsed) {
  auto queue = make({.debounce = 10ms});
  push(*queue, "a");
  EXPECT_EQ(take_ready(*queue), Names{});
  advance(9ms);
  push(*queue, "b");
  advance(9ms);
  EXPECT_EQ(take_ready(*queue), Names{}) << "the second change restarted the debounce";
  advance(1ms);
  EXPECT_EQ(take_ready(*queue), (Names{"a changed", "b changed"}));
  EXPECT_EQ(reactor_.timers().size(), 0u);
}

// FS-02
TEST_F(FsChangeQueueTest, MergedChangeRestartsDebounce) {
  auto queue = make({.debounce = 10ms});
  for (int i = 0; i < 5; ++i) {
    push(*queue, "a");
    advance(9ms);
    EXPECT_EQ(take_ready(*queue), Names{});
  }
  advance(1ms);
  EXPECT_EQ(take_ready(*queue), Names{"a changed"});
}

// FS-02
TEST_F(FsChangeQueueTest, MaxDelayBoundsDebounce) {
  auto queue = make({.debounce = 10ms, .max_delay = 25ms});
  int delivered = 0;
  for (int i = 0; i < 100; ++i) {  // a change every 5 ms
    push(*queue, "a");
    advance(5ms);
    delivered += static_cast<int>(take_ready(*queue).size());
  }
  EXPECT_EQ(delivered, 20) << "one per 25 ms in 500 ms";
}

TEST_F(FsChangeQueueTest, MaxDelayShorterThanDebounceWins) {
  auto queue = make({.debounce = 100ms, .max_delay = 5ms});
  push(*queue, "a");
  advance(5ms);
  EXPECT_EQ(take_ready(*queue), Names{"a changed"});
}

TEST_F(FsChangeQueueTest, ReadyChangesStayReadyWhileOthersDefer) {
  auto queue = make({.debounce = 10ms});
  push(*queue, "a");
  advance(10ms);
  push(*queue, "b");
  push(*queue, "a", true);  // merged into a ready change: not deferred
  EXPECT_EQ(take_ready(*queue), Names{"a renamed changed"});
  advance(10ms);
  EXPECT_EQ(take_ready(*queue), Names{"b changed"});
}

TEST_F(FsChangeQueueTest, EndReleasesDeferredChanges) {
  auto queue = make({.debounce = 10ms});
  push(*queue, "a");
  queue->end();
  EXPECT_EQ(take_ready(*queue), Names{"a changed"});
  push(*queue, "b");
  EXPECT_EQ(take_ready(*queue), Names{}) << "no change is accepted after the end";
  Notification result;
  EXPECT_TRUE(queue->replay(result));
  EXPECT_EQ(reactor_.timers().size(), 0u);
}

// FS-02
TEST_F(FsChangeQueueTest, WaiterSleepsUntilMaxDelay) {
  const auto owned_runtime = detail::Access::make_runtime(RuntimeOptions{}, std::make_unique<detail::SimReactor>());
  Runtime& runtime = *owned_runtime;
  runtime.run([&] {
    detail::Reactor& reactor = detail::Access::scheduler(runtime).reactor();
    auto queue = Ref<FsChangeQueue>::adopt(new FsChangeQueue(reactor, {.debounce = 50ms, .max_delay = 200ms}, "root"));
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

TEST_F(FsChangeQueueTest, MayOutliveReactor) {
  auto reactor = std::make_unique<detail::SimReactor>();
  auto queue = Ref<FsChangeQueue>::adopt(new FsChangeQueue(*reactor, {.debounce = 10ms}, "root"));
  push(*queue, "a");
  reactor.reset();
  push(*queue, "b");
  EXPECT_TRUE(queue->start());
}

}  // namespace
}  // namespace trueasync::test
