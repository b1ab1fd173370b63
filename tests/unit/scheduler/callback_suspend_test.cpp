// Callbacks run in the middle of the scheduler's work, whoever calls them: they must not suspend, and are told so.
#include "manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Tries to suspend when it is told.
struct Suspender : Subscription {
  Suspender() {
    callback = [](Subscription& self, const Notification&) noexcept {
      auto& me = static_cast<Suspender&>(self);
      ++me.calls;
      try {
        yield();
        ++me.suspended;
      } catch (const MisuseError& error) {
        ++me.refused;
        me.text = error.what();
      } catch (...) {
      }
    };
  }
  void expect_refused_once() const {
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(suspended, 0);
    EXPECT_NE(text.find("cannot suspend"), std::string::npos) << text;
  }

  int calls = 0;
  int refused = 0;
  int suspended = 0;
  std::string text;
};

class CallbackSuspend : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CallbackSuspend);

// EVT-02
TEST_P(CallbackSuspend, IsRefusedToASubscriberOfACoroutinesEnd) {
  Suspender suspender;
  run([&] {
    auto task = spawn([] {});
    task.event().subscribe(suspender);
    await(task);
    EXPECT_TRUE(task.is_finished());
    EXPECT_EQ(statistics().alive, 0u);
    yield();
  });
  suspender.expect_refused_once();
}

// EVT-02 CXL-01
TEST_P(CallbackSuspend, IsRefusedToASubscriberOfACoroutineThatNeverStarted) {
  Suspender suspender;
  run([&] {
    auto task = spawn([] {});
    task.event().subscribe(suspender);
    task.cancel();
    yield();
    EXPECT_TRUE(task.is_finished());
  });
  suspender.expect_refused_once();
}

// SCH-06 EVT-02
TEST(CallbackSuspendOfABusyQueue, IsRefusedInsideALookAtTheReactor) {
  // The look happens in the context of whoever suspends just then.
  SimRuntime world(detail::kPollInterval);
  Suspender suspender;
  world.runtime->run([&] {
    Timeout soon(1ms);
    soon.event().subscribe(suspender);
    ASSERT_EQ(soon.event().start(), nullptr);
    const auto keep_busy = [&] {
      for (int i = 0; i < 10'000 && suspender.calls == 0; ++i) yield();
      for (int i = 0; i < 10; ++i) yield();
    };
    auto one = spawn(keep_busy);
    auto other = spawn(keep_busy);
    await(one);
    await(other);
    soon.event().stop();
  });
  suspender.expect_refused_once();
}

// EVT-02
TEST(CallbackSuspendOfAHostLoop, IsRefusedInsideATurn) {
  SimRuntime world;
  Suspender suspender;
  Runtime& runtime = *world.runtime;
  runtime.attach();
  {
    Timeout soon(1ms);
    soon.event().subscribe(suspender);
    ASSERT_EQ(soon.event().start(), nullptr);
    world.reactor->advance(2ms);
    for (int i = 0; i < 3; ++i) runtime.run_once();
    soon.event().stop();
  }
  runtime.detach();
  suspender.expect_refused_once();
}

}  // namespace
}  // namespace trueasync::test
