// Allocation failures while an event starts leak no memory and leave no handle in libuv. This program replaces operator
// new, which fails on request.
#include <csignal>
#include <cstdlib>
#include <new>

#include "epoll_reactor_fixture.hpp"

namespace {

// Number of allocations of this thread that succeed before the next one fails; negative: all succeed.
thread_local int allocations_until_failure = -1;

void* allocate(std::size_t size) noexcept {
  if (allocations_until_failure == 0) return nullptr;
  if (allocations_until_failure > 0) --allocations_until_failure;
  return std::malloc(size ? size : 1);
}

void* allocate_or_throw(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// new and delete are both replaced and not inlined, so that sanitizers and valgrind see matching pairs.
[[gnu::noinline]] void* operator new(std::size_t size) { return allocate_or_throw(size); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return allocate_or_throw(size); }
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace trueasync::test {
namespace {

class ReactorMemoryTest : public EpollReactorTest {
 protected:
  // Lets the first allocation of start() fail, then the second, and so on until start() succeeds. Returns the number of
  // failures.
  int count_failed_starts(Event& event) {
    for (int failures = 0;; ++failures) {
      allocations_until_failure = failures;
      const std::exception_ptr error = event.start();
      allocations_until_failure = -1;
      if (!error) return failures;
      EXPECT_EQ(error_text(error), "std::bad_alloc");
      EXPECT_TRUE(reactor_.polls().empty() && reactor_.signals().empty()) << "failure " << failures;
      EXPECT_EQ(reactor_.liveness().foreground, 0u);
      run_ready_events();
    }
  }
};

// IO-04
TEST_F(ReactorMemoryTest, FailedPollStartLeavesNoHandle) {
  auto [read_end, write_end] = make_pipe();
  Ref<Event> event = reactor_.new_poll(read_end.get(), kPollReadable);
  EXPECT_GE(count_failed_starts(*event), 3);
  event->stop();
  RecordingSubscriber subscriber(*event);
  write_end.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(subscriber.values, Values{kPollReadable});
}

// IO-04
TEST_F(ReactorMemoryTest, FailedSignalStartLeavesNoHandle) {
  Ref<Event> event = reactor_.new_signal(SIGUSR1);
  EXPECT_GE(count_failed_starts(*event), 3);
  event->stop();
  RecordingSubscriber subscriber(*event);
  ::raise(SIGUSR1);
  ASSERT_TRUE(run_until(reactor_, [&] { return subscriber.times() > 0; }));
  EXPECT_EQ(subscriber.times(), 1u);
}

// REA-03
TEST_F(ReactorMemoryTest, SignalDispatchAllocatesNothing) {
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
  allocations_until_failure = 0;  // an allocation in a signal callback would terminate the process
  for (int i = 0; i < 10; ++i) reactor_.run_once(true);
  allocations_until_failure = -1;
  EXPECT_EQ(counters[0].times, 1);
  EXPECT_EQ(counters[1].times, 1);
  for (int i = 0; i < 2; ++i) {
    events[static_cast<std::size_t>(i)]->unsubscribe(counters[i]);
    events[static_cast<std::size_t>(i)]->stop();
  }
}

}  // namespace
}  // namespace trueasync::test
