// Unix signals.
#include <unistd.h>

#include <csignal>

#include "reactor/uv/signal_dispositions.hpp"
#include "uv_fixture.hpp"

namespace trueasync::test {
namespace {

TEST_F(UvReactorTest, SeveralWaitersOfASignalShareOneHandle) {
  // REA-03
  Ref<Event> first = reactor_.new_signal(SIGUSR1);
  Ref<Event> second = reactor_.new_signal(SIGUSR1);
  Ref<Event> other = reactor_.new_signal(SIGUSR2);
  RecordingSubscriber told_first(*first);
  RecordingSubscriber told_second(*second);
  RecordingSubscriber told_other(*other);
  EXPECT_EQ(reactor_.signals().size(), 2u);
  std::raise(SIGUSR1);
  ASSERT_TRUE(turn_until(reactor_, [&] { return told_first.times() > 0; }));
  EXPECT_EQ(told_first.values, Values{SIGUSR1});
  EXPECT_EQ(told_second.values, Values{SIGUSR1});
  EXPECT_EQ(told_other.times(), 0u);
}

TEST_F(UvReactorTest, OneWaiterOfASignalLeavingLeavesTheOthers) {
  // REA-03 IO-10
  Ref<Event> first = reactor_.new_signal(SIGUSR1);
  Ref<Event> second = reactor_.new_signal(SIGUSR1);
  RecordingSubscriber told_first(*first);
  RecordingSubscriber told_second(*second);
  told_first.unsubscribe();
  EXPECT_EQ(reactor_.signals().size(), 1u);
  std::raise(SIGUSR1);
  ASSERT_TRUE(turn_until(reactor_, [&] { return told_second.times() > 0; }));
  EXPECT_EQ(told_first.times(), 0u);
}

TEST_F(UvReactorTest, TheDefaultActionComesBackWithTheLastWaiter) {
  // REA-03
  struct sigaction before {};
  ::sigaction(SIGUSR2, nullptr, &before);
  {
    Ref<Event> event = reactor_.new_signal(SIGUSR2);
    RecordingSubscriber told(*event);
    struct sigaction during {};
    ::sigaction(SIGUSR2, nullptr, &during);
    EXPECT_NE(during.sa_handler, before.sa_handler);
  }
  settle();
  struct sigaction after {};
  ::sigaction(SIGUSR2, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

// How often the program's own handlers were called, and whether they were told who sent the signal.
volatile std::sig_atomic_t heard_before = 0;
volatile std::sig_atomic_t heard_later = 0;
volatile std::sig_atomic_t heard_from_us = 0;

TEST_F(UvReactorTest, AHandlerOfTheProgramIsCalledTooWhereSignalsAreShared) {
  // SG-02
  struct sigaction before {};
  ::sigaction(SIGUSR2, nullptr, &before);
  struct sigaction own {};
  own.sa_flags = SA_SIGINFO;
  own.sa_sigaction = [](int, siginfo_t* info, void*) {
    heard_before = heard_before + 1;
    heard_from_us = info->si_pid == getpid();
  };
  ::sigaction(SIGUSR2, &own, nullptr);
  detail::enable_handler_chaining([](int) { return true; });
  {
    Ref<Event> event = reactor_.new_signal(SIGUSR2);
    RecordingSubscriber told(*event);
    std::raise(SIGUSR2);
    ASSERT_TRUE(turn_until(reactor_, [&] { return told.times() == 1; }));
    EXPECT_EQ(heard_before, 1);
    EXPECT_EQ(heard_from_us, 1);
    std::signal(SIGUSR2, [](int) { heard_later = heard_later + 1; });
    detail::chain_user_handler(SIGUSR2);
    std::raise(SIGUSR2);
    ASSERT_TRUE(turn_until(reactor_, [&] { return told.times() == 2; }));
  }
  settle();
  detail::enable_handler_chaining(nullptr);
  EXPECT_EQ(heard_before, 1);
  EXPECT_EQ(heard_later, 1);
  std::raise(SIGUSR2);
  EXPECT_EQ(heard_later, 2) << "the handler that was set last is the one that stays";
  ::sigaction(SIGUSR2, &before, nullptr);
}

TEST_F(UvReactorTest, ASignalThatCannotBeCaughtIsAnErrorValue) {
  // R4
  Ref<Event> event = reactor_.new_signal(SIGKILL);
  const std::exception_ptr error = event->start();
  ASSERT_TRUE(error);
  EXPECT_NE(text_of(error).find("signal 9"), std::string::npos) << text_of(error);
  EXPECT_EQ(reactor_.liveness().foreground, 0u);
}

}  // namespace
}  // namespace trueasync::test
