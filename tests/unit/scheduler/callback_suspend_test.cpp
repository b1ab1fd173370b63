// Callbacks of events run inside the scheduler and must not suspend: a suspension throws MisuseError.
#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Tries to suspend when it is notified.
struct Suspender : Subscription {
  Suspender() {
    callback = [](Subscription& self, const Notification&) noexcept {
      auto& suspender = static_cast<Suspender&>(self);
      ++suspender.calls;
      try {
        yield();
        ++suspender.suspended;
      } catch (const MisuseError& error) {
        ++suspender.rejected;
        suspender.message = error.what();
      } catch (...) {
      }
    };
  }
  void expect_rejected_once() const {
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(rejected, 1);
    EXPECT_EQ(suspended, 0);
    EXPECT_NE(message.find("cannot suspend"), std::string::npos) << message;
  }

  int calls = 0;
  int rejected = 0;
  int suspended = 0;
  std::string message;
};

class CallbackSuspend : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CallbackSuspend);

// EVT-02
TEST_P(CallbackSuspend, IsRejectedInCompletionCallback) {
  Suspender suspender;
  run([&] {
    auto task = spawn([] {});
    task.event().subscribe(suspender);
    await(task);
    EXPECT_TRUE(task.is_finished());
    EXPECT_EQ(statistics().alive, 0u);
    yield();
  });
  suspender.expect_rejected_once();
}

// EVT-02 CXL-01
TEST_P(CallbackSuspend, IsRejectedInCompletionCallbackOfUnstartedCoroutine) {
  Suspender suspender;
  run([&] {
    auto task = spawn([] {});
    task.event().subscribe(suspender);
    task.cancel();
    yield();
    EXPECT_TRUE(task.is_finished());
  });
  suspender.expect_rejected_once();
}

// SCH-06 EVT-02
TEST(CallbackSuspendInPoll, IsRejectedWhenCoroutinesAreReady) {
  // The reactor is polled in the context of the coroutine that suspends.
  SimRuntime sim(detail::kPollInterval);
  Suspender suspender;
  sim.runtime->run([&] {
    Timeout soon(1ms);
    soon.event().subscribe(suspender);
    ASSERT_EQ(soon.event().start(), nullptr);
    const auto keep_busy = [&] {
      for (int i = 0; i < 10'000 && suspender.calls == 0; ++i) yield();
      for (int i = 0; i < 10; ++i) yield();
    };
    auto first = spawn(keep_busy);
    auto second = spawn(keep_busy);
    await(first);
    await(second);
    soon.event().stop();
  });
  suspender.expect_rejected_once();
}

// EVT-02
TEST(CallbackSuspendInPoll, IsRejectedInRunOnce) {
  SimRuntime sim;
  Suspender suspender;
  Runtime& runtime = *sim.runtime;
  runtime.attach();
  {
    Timeout soon(1ms);
    soon.event().subscribe(suspender);
    ASSERT_EQ(soon.event().start(), nullptr);
    sim.reactor->advance(2ms);
    for (int i = 0; i < 3; ++i) runtime.run_once();
    soon.event().stop();
  }
  runtime.detach();
  suspender.expect_rejected_once();
}

}  // namespace
}  // namespace trueasync::test
