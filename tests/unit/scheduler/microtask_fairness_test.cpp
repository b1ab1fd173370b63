// Microtasks that queue microtasks starve neither coroutines nor the reactor.
#include "scheduler_fixture.hpp"
#include "trueasync/host.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class MicrotaskFairness : public ReactorTest {};

// MIC-04
TEST_P(MicrotaskFairness, RequeuedMicrotaskDoesNotStarveCoroutines) {
  run([] {
    bool stop = false;
    std::uint64_t ran = 0;
    struct Requeued : Microtask {
      bool* stop;
      std::uint64_t* ran;
    } requeued;
    requeued.stop = &stop;
    requeued.ran = &ran;
    requeued.handler = [](Microtask& self) noexcept -> std::exception_ptr {
      ++*static_cast<Requeued&>(self).ran;
      if (!*static_cast<Requeued&>(self).stop) queue_microtask(self);
      return nullptr;
    };
    std::uint64_t ran_before_coroutine = 0;
    spawn([&] { ran_before_coroutine = ran; });
    queue_microtask(requeued);
    yield();
    EXPECT_EQ(ran_before_coroutine, kMicrotasksPerTick);
    EXPECT_EQ(ran, 2 * kMicrotasksPerTick);  // and as many when the coroutine finishes
    stop = true;
    yield();
    EXPECT_EQ(ran, 2 * kMicrotasksPerTick + 1);
  });
}

// MIC-04
TEST_P(MicrotaskFairness, RequeuedMicrotaskDoesNotStarveReactor) {
  // The ready queue is empty and microtasks are always queued. The simulated clock advances when it is read.
  auto runtime = GetParam() == ReactorKind::libuv
                     ? std::make_unique<Runtime>()
                     : detail::Access::make_runtime(RuntimeOptions{}, std::make_unique<detail::SimReactor>(1us));
  runtime->run([] {
    bool stop = false;
    std::function<void()> requeue = [&] {
      if (!stop) queue_microtask([&] { requeue(); });
    };
    requeue();
    delay(1ms);
    stop = true;
    yield();
    yield();
  });
  expect_no_leaks(*runtime);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(MicrotaskFairness);

}  // namespace
}  // namespace trueasync::test
