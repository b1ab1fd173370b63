// The context of a coroutine that has ended goes to the next one; what its end sets in motion comes first.
#include <stdexcept>

#include "manual_event.hpp"

namespace trueasync::test {
namespace {

class TakeOver : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(TakeOver);

// Cancels when it is destroyed, as the result of a coroutine nobody awaits: the next one is chosen by then.
struct CancelsWhenItDies {
  explicit CancelsWhenItDies(const Coroutine& what) : target(what) {}
  CancelsWhenItDies(CancelsWhenItDies&&) noexcept = default;
  ~CancelsWhenItDies() {
    if (target) target.cancel();
  }
  Coroutine target;
};

// CXL-01 SHU-01
TEST_P(TakeOver, NobodyStartsAfterTheUnhandledErrorOfTheOneBefore) {
  int started = 0;
  EXPECT_THROW(run([&] {
                 spawn([] { throw std::range_error("nobody awaits this"); });
                 spawn([&] { ++started; });
                 spawn([&] { ++started; });
                 yield();
               }),
               std::range_error);
  EXPECT_EQ(started, 0);
}

// CXL-01 SHU-01
TEST_P(TakeOver, NobodyStartsOnAStackOfAnotherSizeEither) {
  int started = 0;
  EXPECT_THROW(run([&] {
                 spawn([] { throw std::range_error("nobody awaits this"); });
                 spawn({.stack_size = 128 * 1024}, [&] { ++started; });
                 spawn([&] { ++started; });
                 yield();
               }),
               std::range_error);
  EXPECT_EQ(started, 0);
}

// CXL-01
TEST_P(TakeOver, OneThatTheDyingResultCancelsNeverStarts) {
  for (std::size_t stack_size : {std::size_t{0}, std::size_t{128 * 1024}}) {
    run([&] {
      bool started = false;
      Task<void> second;
      spawn([&] { return CancelsWhenItDies(second.coroutine()); });
      second = spawn({.stack_size = stack_size}, [&] { started = true; });
      auto third = spawn([] { return 3; });
      EXPECT_EQ(await(third), 3) << "the turn goes on to the one after";
      EXPECT_FALSE(started);
      EXPECT_TRUE(second.is_cancelled());
      EXPECT_THROW(await(second), Cancelled);
    });
  }
}

// CXL-01
TEST_P(TakeOver, OneThatTheUnhandledHandlerCancelsNeverStarts) {
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
TEST_P(TakeOver, LastOfAllMayBeCancelledThere) {
  // Nobody is left to take over, main must be found.
  bool started = false;
  Task<void> second;
  run([&] {
    spawn([&] { return CancelsWhenItDies(second.coroutine()); });
    second = spawn([&] { started = true; });
  });
  EXPECT_FALSE(started);
  EXPECT_TRUE(second.is_cancelled());
}

// CXL-01 CXL-05
TEST_P(TakeOver, WokenOneThatIsCancelledThereGetsItsCancellation) {
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
    spawn([&] { return CancelsWhenItDies(second.coroutine()); });
    event->fire();  // so it is next when the spawned one has ended
    await(second);
    EXPECT_TRUE(was_cancelled);
    EXPECT_EQ(event->reclaims, 1);
  });
}

}  // namespace
}  // namespace trueasync::test
