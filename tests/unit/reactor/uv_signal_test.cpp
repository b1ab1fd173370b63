// Unix signals.
#include <csignal>

#include "uv_fixture.hpp"

namespace trueasync::test {
namespace {

TEST_F(UvReactorTest, SeveralWaitersOfASignalShareOneHandle) {
  // REA-03
  Ref<Event> first = reactor_.new_signal(SIGUSR1);
  Ref<Event> second = reactor_.new_signal(SIGUSR1);
  Ref<Event> other = reactor_.new_signal(SIGUSR2);
  Told told_first(*first);
  Told told_second(*second);
  Told told_other(*other);
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
  Told told_first(*first);
  Told told_second(*second);
  told_first.leave();
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
    Told told(*event);
    struct sigaction during {};
    ::sigaction(SIGUSR2, nullptr, &during);
    EXPECT_NE(during.sa_handler, before.sa_handler);
  }
  settle();
  struct sigaction after {};
  ::sigaction(SIGUSR2, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

TEST_F(UvReactorTest, ASignalThatCannotBeCaughtIsAnErrorValue) {
  // R4
  Ref<Event> event = reactor_.new_signal(SIGKILL);
  const std::exception_ptr error = event->start();
  ASSERT_TRUE(error);
  EXPECT_NE(text_of(error).find("signal 9"), std::string::npos) << text_of(error);
  EXPECT_EQ(reactor_.liveness().visible, 0u);
}

}  // namespace
}  // namespace trueasync::test
