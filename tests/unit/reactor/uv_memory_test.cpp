// Memory that runs out while a handle is made: neither a leak nor a handle that libuv still knows. This program's
// operator new fails when it is told to.
#include <csignal>
#include <cstdlib>
#include <new>

#include "uv_fixture.hpp"

namespace {

// How many allocations of this thread go well before one fails; negative: all.
thread_local int allocations_left = -1;

void* failing(std::size_t size) noexcept {
  if (allocations_left == 0) return nullptr;
  if (allocations_left > 0) --allocations_left;
  return std::malloc(size ? size : 1);
}

void* failing_or_throw(std::size_t size) {
  if (void* memory = failing(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Both sides are replaced, and neither is inlined, so that sanitizers and valgrind see matching pairs.
[[gnu::noinline]] void* operator new(std::size_t size) { return failing_or_throw(size); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return failing_or_throw(size); }
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return failing(size); }
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return failing(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace trueasync::test {
namespace {

class UvMemoryTest : public UvReactorTest {
 protected:
  // Starts `event` with memory for one allocation, then for two … until it starts. Returns how often it failed.
  int starts_that_failed(Event& event) {
    for (int failures = 0;; ++failures) {
      allocations_left = failures;
      const std::exception_ptr error = event.start();
      allocations_left = -1;
      if (!error) return failures;
      EXPECT_EQ(text_of(error), "std::bad_alloc");
      EXPECT_TRUE(reactor_.polls().empty() && reactor_.signals().empty()) << "after " << failures;
      EXPECT_EQ(reactor_.liveness().foreground, 0u);
      settle();
    }
  }
};

TEST_F(UvMemoryTest, APollThatFindsNoMemoryLeavesNothing) {
  // IO-04
  auto [read_end, write_end] = make_pipe();
  Ref<Event> event = reactor_.new_poll(read_end.get(), kPollReadable);
  EXPECT_GE(starts_that_failed(*event), 3);
  event->stop();
  RecordingSubscriber told(*event);
  write_end.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(told.values, Values{kPollReadable});
}

TEST_F(UvMemoryTest, ASignalThatFindsNoMemoryLeavesNothing) {
  // IO-04
  Ref<Event> event = reactor_.new_signal(SIGUSR1);
  EXPECT_GE(starts_that_failed(*event), 3);
  event->stop();
  RecordingSubscriber told(*event);
  ::raise(SIGUSR1);
  ASSERT_TRUE(turn_until(reactor_, [&] { return told.times() > 0; }));
  EXPECT_EQ(told.times(), 1u);
}

TEST_F(UvMemoryTest, ASignalIsToldWithoutMemory) {
  // REA-03
  struct Counter : Subscription {
    int times = 0;
  } counters[2];
  std::vector<Ref<Event>> events;
  for (Counter& counter : counters) {
    events.push_back(reactor_.new_signal(SIGUSR1));
    counter.persistent = true;
    counter.callback = [](Subscription& self, const Notification&) noexcept { ++static_cast<Counter&>(self).times; };
    events.back()->subscribe(counter);
    ASSERT_FALSE(events.back()->start());
  }
  std::raise(SIGUSR1);
  allocations_left = 0;  // one would end the process: nothing may be thrown in there
  for (int turn = 0; turn < 10; ++turn) reactor_.run_once(true);
  allocations_left = -1;
  EXPECT_EQ(counters[0].times, 1);
  EXPECT_EQ(counters[1].times, 1);
  for (int i = 0; i < 2; ++i) {
    events[static_cast<std::size_t>(i)]->unsubscribe(counters[i]);
    events[static_cast<std::size_t>(i)]->stop();
  }
}

}  // namespace
}  // namespace trueasync::test
