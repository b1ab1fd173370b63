// Microtasks that queue microtasks starve nobody (MIC-04).
#include "trueasync/microtask.hpp"
#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class MicrotaskBound : public ReactorTest {};

TEST_P(MicrotaskBound, MicrotasksThatQueueMicrotasksCantStarveCoroutines) {
  // MIC-04
  run([] {
    bool stop = false;
    std::uint64_t ran = 0;
    struct Again : Microtask {
      bool* stop;
      std::uint64_t* ran;
    } again;
    again.stop = &stop;
    again.ran = &ran;
    again.handler = [](Microtask& self) noexcept -> std::exception_ptr {
      ++*static_cast<Again&>(self).ran;
      if (!*static_cast<Again&>(self).stop) queue_microtask(self);
      return nullptr;
    };
    std::uint64_t at_first = 0;
    spawn([&] { at_first = ran; });
    queue_microtask(again);
    yield();
    EXPECT_EQ(at_first, kMicrotasksPerTick);
    EXPECT_EQ(ran, 2 * kMicrotasksPerTick);  // and as many at the coroutine's end
    stop = true;
    yield();
    EXPECT_EQ(ran, 2 * kMicrotasksPerTick + 1);
  });
}

TEST_P(MicrotaskBound, MicrotasksThatQueueMicrotasksCantStarveTheReactor) {
  // MIC-04: the queue is empty and microtasks never end, yet the timer fires. The simulated clock moves when looked at.
  auto runtime = GetParam() == ReactorKind::libuv
                     ? std::make_unique<Runtime>()
                     : detail::Access::make_runtime(RuntimeOptions{}, std::make_unique<detail::SimReactor>(1us));
  runtime->run([] {
    bool stop = false;
    std::function<void()> again = [&] {
      if (!stop) queue_microtask([&] { again(); });
    };
    again();
    delay(1ms);
    stop = true;
    yield();
    yield();
  });
  expect_no_leaks(*runtime);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(MicrotaskBound);

}  // namespace
}  // namespace trueasync::test
