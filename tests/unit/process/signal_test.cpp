// Signals as a program waits for them.
#include "trueasync/signal.hpp"

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

void (*handler_of(int number))(int) {
  struct sigaction action = {};
  ::sigaction(number, nullptr, &action);
  return action.sa_handler;
}

int seen_by_handler = 0;
void own_handler(int) { ++seen_by_handler; }

TEST_F(SignalTest, AllWhoWaitAreWokenInTheirCoroutines) {
  // REA-02 REA-03 SG-03 SG-05
  int woken = 0;
  run([&] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 5; ++i) {
      tasks.push_back(spawn([&] {
        wait_signal(SIGUSR1, kNever);
        current_coroutine();  // no handler's context: everything is allowed here
        ++woken;
      }));
    }
    yield();
    std::raise(SIGUSR1);
    for (auto& task : tasks) await(task);
  });
  EXPECT_EQ(woken, 5);
}

TEST_F(SignalTest, OfSeveralEventsTheSignalIsOne) {
  // REA-02
  run([] {
    Ref<Event> first = signal_event(SIGUSR1);
    Ref<Event> second = signal_event(SIGUSR2);
    Event* events[] = {first.get(), second.get()};
    spawn([] { std::raise(SIGUSR2); });
    EXPECT_EQ(wait_any(events, kNever), 1u);
  });
  EXPECT_EQ(handler_of(SIGUSR1), SIG_DFL);
}

TEST_F(SignalTest, TimeoutAndCancellationStopTheWatch) {
  // SG-04
  run([] {
    EXPECT_THROW(wait_signal(SIGUSR1, 1ms), TimeoutError);
    EXPECT_EQ(handler_of(SIGUSR1), SIG_DFL);
    auto waiting = spawn([] { wait_signal(SIGUSR1); });
    yield();
    EXPECT_NE(handler_of(SIGUSR1), SIG_DFL);
    waiting.cancel();
    EXPECT_THROW(await(waiting), Cancelled);
    EXPECT_EQ(handler_of(SIGUSR1), SIG_DFL);
  });
}

TEST_F(SignalTest, WhatWasInstalledBeforeComesBack) {
  // REA-03 SG-04 SG-06
  ::signal(SIGUSR1, SIG_IGN);
  ::signal(SIGUSR2, &own_handler);
  seen_by_handler = 0;
  run([] {
    EXPECT_THROW(wait_signal(SIGUSR1, 1ms), TimeoutError);
    EXPECT_EQ(handler_of(SIGUSR1), SIG_IGN);
    std::raise(SIGUSR1);  // after the waiter has left: as before
    auto waiting = spawn([] { wait_signal(SIGUSR2, kNever); });
    yield();
    std::raise(SIGUSR2);
    await(waiting);
    EXPECT_EQ(seen_by_handler, 0) << "while somebody waits the signal is the loop's";
    std::raise(SIGUSR2);
    EXPECT_EQ(seen_by_handler, 1);
  });
  ::signal(SIGUSR1, SIG_DFL);
  ::signal(SIGUSR2, SIG_DFL);
}

TEST_F(SignalTest, TwoRuntimesShareANumberAndTheLastPutsItBack) {
  // REA-03
  ::signal(SIGUSR1, SIG_IGN);
  Runtime().run([] {
    auto waiting = spawn([] { wait_signal(SIGUSR1, kNever); });
    yield();
    std::thread([] { Runtime().run([] { EXPECT_THROW(wait_signal(SIGUSR1, 1ms), TimeoutError); }); }).join();
    EXPECT_NE(handler_of(SIGUSR1), SIG_IGN) << "somebody still waits here";
    ::kill(::getpid(), SIGUSR1);
    await(waiting);
  });
  EXPECT_EQ(handler_of(SIGUSR1), SIG_IGN);
  ::signal(SIGUSR1, SIG_DFL);
}

TEST_F(SignalTest, AWatchKeepsWhatComesBetweenTwoWaits) {
  // SG-06 R1
  run([] {
    SignalWatch watch(SIGUSR1);
    for (int i = 0; i < 3; ++i) {
      std::raise(SIGUSR1);
      delay(1ms);  // it arrives while nobody waits
      watch.wait(kNever);
    }
    EXPECT_THROW(watch.wait(1ms), TimeoutError);
  });
  EXPECT_EQ(handler_of(SIGUSR1), SIG_DFL);
}

TEST_F(SignalTest, AWaiterThatIsCancelledLeavesTheSignalToTheNext) {
  // R1 CXL-05
  run([] {
    Task<void> leaving;
    auto canceller = spawn([&] {
      wait_signal(SIGUSR1, kNever);
      leaving.cancel();  // woken by the same signal; it has not run yet
    });
    yield();
    SignalWatch watch(SIGUSR1);
    leaving = spawn([&] { watch.wait(kNever); });
    yield();
    std::raise(SIGUSR1);
    await(canceller);
    EXPECT_THROW(await(leaving), Cancelled);
    watch.wait(kNever);
    EXPECT_THROW(watch.wait(1ms), TimeoutError);
  });
}

TEST_F(SignalTest, AWatchEndsUnderItsWaiterAndItsRuntime) {
  // SG-04
  run([] {
    auto watch = std::make_unique<SignalWatch>(SIGUSR1);
    auto waiting = spawn([&] { EXPECT_THROW(watch->wait(kNever), MisuseError); });
    yield();
    watch.reset();
    await(waiting);
  });
  std::unique_ptr<SignalWatch> late;
  run_leaving(1, [&] { late = std::make_unique<SignalWatch>(SIGUSR1); });
  EXPECT_EQ(handler_of(SIGUSR1), SIG_DFL) << "the runtime has gone";
  late.reset();
}

TEST_F(SignalTest, ASignalThatCantBeCaughtIsAnError) {
  run([] {
    EXPECT_THROW(wait_signal(SIGKILL), Error);
    EXPECT_THROW(wait_signal(100000), Error);
    EXPECT_THROW(SignalWatch(-1), Error);
  });
}

}  // namespace
}  // namespace trueasync::test
