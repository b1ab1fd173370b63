// wait_signal(), signal_event() and SignalWatch.
#include "trueasync/io/signal.hpp"

#include <csignal>

#include "runtime_fixture.hpp"

namespace trueasync::test {
namespace {

class SignalTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    SKIP_WHERE_SIGNALS_STICK_TO_FIBERS();
  }
};

void (*current_handler(int number))(int) {
  struct sigaction action = {};
  ::sigaction(number, nullptr, &action);
  return action.sa_handler;
}

int user_handler_calls = 0;
void user_handler(int) { ++user_handler_calls; }

// REA-02 REA-03 SG-03 SG-05
TEST_F(SignalTest, SignalWakesAllWaiters) {
  int woken = 0;
  run([&] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 5; ++i) {
      tasks.push_back(spawn([&] {
        wait_signal(SIGUSR1, kNever);
        current_coroutine();  // a coroutine, not a signal handler: no restrictions apply
        ++woken;
      }));
    }
    yield();
    std::raise(SIGUSR1);
    for (auto& task : tasks) await(task);
  });
  EXPECT_EQ(woken, 5);
}

// REA-02
TEST_F(SignalTest, IsAwaitableAsEvent) {
  run([] {
    Ref<Event> first = signal_event(SIGUSR1);
    Ref<Event> second = signal_event(SIGUSR2);
    Event* events[] = {first.get(), second.get()};
    spawn([] { std::raise(SIGUSR2); });
    EXPECT_EQ(wait_any(events, kNever), 1u);
  });
  EXPECT_EQ(current_handler(SIGUSR1), SIG_DFL);
}

// SG-04
TEST_F(SignalTest, TimeoutAndCancelRemoveHandler) {
  run([] {
    EXPECT_THROW(wait_signal(SIGUSR1, 1ms), TimeoutError);
    EXPECT_EQ(current_handler(SIGUSR1), SIG_DFL);
    auto waiting = spawn([] { wait_signal(SIGUSR1); });
    yield();
    EXPECT_NE(current_handler(SIGUSR1), SIG_DFL);
    waiting.cancel();
    EXPECT_THROW(await(waiting), Cancelled);
    EXPECT_EQ(current_handler(SIGUSR1), SIG_DFL);
  });
}

// REA-03 SG-04 SG-06
TEST_F(SignalTest, RestoresPreviousHandler) {
  ::signal(SIGUSR1, SIG_IGN);
  ::signal(SIGUSR2, &user_handler);
  user_handler_calls = 0;
  run([] {
    EXPECT_THROW(wait_signal(SIGUSR1, 1ms), TimeoutError);
    EXPECT_EQ(current_handler(SIGUSR1), SIG_IGN);
    std::raise(SIGUSR1);  // without a waiter: ignored as before
    auto waiting = spawn([] { wait_signal(SIGUSR2, kNever); });
    yield();
    std::raise(SIGUSR2);
    await(waiting);
    EXPECT_EQ(user_handler_calls, 0) << "the reactor handles the signal during a wait";
    std::raise(SIGUSR2);
    EXPECT_EQ(user_handler_calls, 1);
  });
  ::signal(SIGUSR1, SIG_DFL);
  ::signal(SIGUSR2, SIG_DFL);
}

// REA-03
TEST_F(SignalTest, LastRuntimeRestoresHandler) {
  ::signal(SIGUSR1, SIG_IGN);
  Runtime().run([] {
    auto waiting = spawn([] { wait_signal(SIGUSR1, kNever); });
    yield();
    std::thread([] { Runtime().run([] { EXPECT_THROW(wait_signal(SIGUSR1, 1ms), TimeoutError); }); }).join();
    EXPECT_NE(current_handler(SIGUSR1), SIG_IGN) << "a coroutine of this runtime still waits";
    ::kill(::getpid(), SIGUSR1);
    await(waiting);
  });
  EXPECT_EQ(current_handler(SIGUSR1), SIG_IGN);
  ::signal(SIGUSR1, SIG_DFL);
}

// SG-06 R1
TEST_F(SignalTest, WatchLatchesSignalBetweenWaits) {
  run([] {
    SignalWatch watch(SIGUSR1);
    for (int i = 0; i < 3; ++i) {
      std::raise(SIGUSR1);
      delay(1ms);  // delivered while no coroutine waits
      watch.wait(kNever);
    }
    EXPECT_THROW(watch.wait(1ms), TimeoutError);
  });
  EXPECT_EQ(current_handler(SIGUSR1), SIG_DFL);
}

// R1 CXL-05
TEST_F(SignalTest, CancelledWaiterLeavesSignalToNext) {
  run([] {
    Task<void> cancelled;
    auto canceller = spawn([&] {
      wait_signal(SIGUSR1, kNever);
      cancelled.cancel();  // already woken by the same signal, but it has not run
    });
    yield();
    SignalWatch watch(SIGUSR1);
    cancelled = spawn([&] { watch.wait(kNever); });
    yield();
    std::raise(SIGUSR1);
    await(canceller);
    EXPECT_THROW(await(cancelled), Cancelled);
    watch.wait(kNever);
    EXPECT_THROW(watch.wait(1ms), TimeoutError);
  });
}

// SG-04
TEST_F(SignalTest, WatchDestroyedDuringWaitFailsWaiter) {
  run([] {
    auto watch = std::make_unique<SignalWatch>(SIGUSR1);
    auto waiting = spawn([&] { EXPECT_THROW(watch->wait(kNever), MisuseError); });
    yield();
    watch.reset();
    await(waiting);
  });
  std::unique_ptr<SignalWatch> outliving_watch;
  run_leaving(1, [&] { outliving_watch = std::make_unique<SignalWatch>(SIGUSR1); });
  EXPECT_EQ(current_handler(SIGUSR1), SIG_DFL) << "the runtime was destroyed";
  outliving_watch.reset();
}

TEST_F(SignalTest, UncatchableSignalFails) {
  run([] {
    EXPECT_THROW(wait_signal(SIGKILL), Error);
    EXPECT_THROW(wait_signal(100000), Error);
    EXPECT_THROW(SignalWatch(-1), Error);
  });
}

TEST_F(SignalTest, TokenEndsWaitAndRemovesHandler) {
  run([] {
    EXPECT_THROW(wait_signal(SIGUSR1, timeout(1ms)), OperationCancelled);
    EXPECT_EQ(current_handler(SIGUSR1), SIG_DFL);
    SignalWatch watch(SIGUSR1);
    EXPECT_THROW(watch.wait(timeout(1ms)), OperationCancelled);
  });
}

}  // namespace
}  // namespace trueasync::test
