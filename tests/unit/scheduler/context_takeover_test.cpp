// A coroutine that finishes passes its context to the next coroutine that starts. Side effects of the finish, such as a
// shutdown or a cancellation of the next coroutine, come first.
#include <stdexcept>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

class ContextTakeover : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ContextTakeover);

// Cancels the target in its destructor. As an unobserved result it is destroyed after the next coroutine is chosen.
struct CancelOnDestroy {
  explicit CancelOnDestroy(const Coroutine& target_) : target(target_) {}
  CancelOnDestroy(CancelOnDestroy&&) noexcept = default;
  ~CancelOnDestroy() {
    if (target) target.cancel();
  }
  Coroutine target;
};

// CXL-01 SHU-01
TEST_P(ContextTakeover, NoCoroutineStartsAfterUnhandledError) {
  int started = 0;
  EXPECT_THROW(run([&] {
                 spawn([] { throw std::range_error("unobserved"); });
                 spawn([&] { ++started; });
                 spawn([&] { ++started; });
                 yield();
               }),
               std::range_error);
  EXPECT_EQ(started, 0);
}

// CXL-01 SHU-01
TEST_P(ContextTakeover, NoCoroutineOfOtherStackSizeStartsAfterUnhandledError) {
  int started = 0;
  EXPECT_THROW(run([&] {
                 spawn([] { throw std::range_error("unobserved"); });
                 spawn({.stack_size = 128 * 1024}, [&] { ++started; });
                 spawn([&] { ++started; });
                 yield();
               }),
               std::range_error);
  EXPECT_EQ(started, 0);
}

// CXL-01
TEST_P(ContextTakeover, CoroutineCancelledByResultDestructorNeverStarts) {
  for (std::size_t stack_size : {std::size_t{0}, std::size_t{128 * 1024}}) {
    run([&] {
      bool started = false;
      Task<void> second;
      spawn([&] { return CancelOnDestroy(second.coroutine()); });
      second = spawn({.stack_size = stack_size}, [&] { started = true; });
      auto third = spawn([] { return 3; });
      EXPECT_EQ(await(third), 3) << "the coroutine after the cancelled one runs";
      EXPECT_FALSE(started);
      EXPECT_TRUE(second.is_cancelled());
      EXPECT_THROW(await(second), Cancelled);
    });
  }
}

// CXL-01
TEST_P(ContextTakeover, CoroutineCancelledByUnhandledHandlerNeverStarts) {
  bool started = false;
  Task<void> second;
  run(
      [&] {
        spawn([] { throw 1; });
        second = spawn([&] { started = true; });
        yield();
        EXPECT_TRUE(second.is_cancelled());
      },
      {.on_unhandled = [&](const Coroutine&, std::exception_ptr) { return second.cancel(); }});
  EXPECT_FALSE(started);
}

// CXL-01
TEST_P(ContextTakeover, LastCoroutineMayBeCancelledByResultDestructor) {
  // No coroutine is left to start, so main is resumed.
  bool started = false;
  Task<void> second;
  run([&] {
    spawn([&] { return CancelOnDestroy(second.coroutine()); });
    second = spawn([&] { started = true; });
  });
  EXPECT_FALSE(started);
  EXPECT_TRUE(second.is_cancelled());
}

// CXL-01 CXL-05
TEST_P(ContextTakeover, WokenCoroutineCancelledByResultDestructorIsCancelled) {
  run([&] {
    auto event = ManualEvent::make();
    bool was_cancelled = false;
    auto second = spawn([&] {
      Event* events[] = {event.get()};
      try {
        wait_any(events);
      } catch (const Cancelled&) {
        was_cancelled = true;
      }
    });
    yield();
    spawn([&] { return CancelOnDestroy(second.coroutine()); });
    event->fire();  // the waiter is next when the spawned coroutine finishes
    await(second);
    EXPECT_TRUE(was_cancelled);
    EXPECT_EQ(event->reclaims, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
