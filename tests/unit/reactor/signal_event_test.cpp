// Signal events.
#include <unistd.h>

#include <csignal>

#include "epoll_reactor_fixture.hpp"
#include "reactor/uv/signal_dispositions.hpp"

namespace trueasync::test {
namespace {

using SignalEventTest = EpollReactorTest;

// REA-03
TEST_F(SignalEventTest, EventsOfOneSignalShareHandle) {
  Ref<Event> first = reactor_.new_signal(SIGUSR1);
  Ref<Event> second = reactor_.new_signal(SIGUSR1);
  Ref<Event> other = reactor_.new_signal(SIGUSR2);
  RecordingSubscriber first_subscriber(*first);
  RecordingSubscriber second_subscriber(*second);
  RecordingSubscriber other_subscriber(*other);
  EXPECT_EQ(reactor_.signals().size(), 2u);
  std::raise(SIGUSR1);
  ASSERT_TRUE(run_until(reactor_, [&] { return first_subscriber.times() > 0; }));
  EXPECT_EQ(first_subscriber.values, Values{SIGUSR1});
  EXPECT_EQ(second_subscriber.values, Values{SIGUSR1});
  EXPECT_EQ(other_subscriber.times(), 0u);
}

// REA-03 IO-10
TEST_F(SignalEventTest, UnsubscribeKeepsOtherEventsOfSignal) {
  Ref<Event> first = reactor_.new_signal(SIGUSR1);
  Ref<Event> second = reactor_.new_signal(SIGUSR1);
  RecordingSubscriber first_subscriber(*first);
  RecordingSubscriber second_subscriber(*second);
  first_subscriber.unsubscribe();
  EXPECT_EQ(reactor_.signals().size(), 1u);
  std::raise(SIGUSR1);
  ASSERT_TRUE(run_until(reactor_, [&] { return second_subscriber.times() > 0; }));
  EXPECT_EQ(first_subscriber.times(), 0u);
}

// REA-03
TEST_F(SignalEventTest, LastUnsubscribeRestoresDisposition) {
  struct sigaction before {};
  ::sigaction(SIGUSR2, nullptr, &before);
  {
    Ref<Event> event = reactor_.new_signal(SIGUSR2);
    RecordingSubscriber subscriber(*event);
    struct sigaction during {};
    ::sigaction(SIGUSR2, nullptr, &during);
    EXPECT_NE(during.sa_handler, before.sa_handler);
  }
  run_ready_events();
  struct sigaction after {};
  ::sigaction(SIGUSR2, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

// Calls of the user's handlers, and whether the handler got the siginfo_t of this process.
volatile std::sig_atomic_t first_handler_calls = 0;
volatile std::sig_atomic_t second_handler_calls = 0;
volatile std::sig_atomic_t siginfo_matches = 0;

// SG-02
TEST_F(SignalEventTest, ChainedUserHandlerIsCalledToo) {
  struct sigaction before {};
  ::sigaction(SIGUSR2, nullptr, &before);
  struct sigaction user {};
  user.sa_flags = SA_SIGINFO;
  user.sa_sigaction = [](int, siginfo_t* info, void*) {
    first_handler_calls = first_handler_calls + 1;
    siginfo_matches = info->si_pid == getpid();
  };
  ::sigaction(SIGUSR2, &user, nullptr);
  detail::enable_handler_chaining([](int) { return true; });
  {
    Ref<Event> event = reactor_.new_signal(SIGUSR2);
    RecordingSubscriber subscriber(*event);
    std::raise(SIGUSR2);
    ASSERT_TRUE(run_until(reactor_, [&] { return subscriber.times() == 1; }));
    EXPECT_EQ(first_handler_calls, 1);
    EXPECT_EQ(siginfo_matches, 1);
    std::signal(SIGUSR2, [](int) { second_handler_calls = second_handler_calls + 1; });
    detail::chain_user_handler(SIGUSR2);
    std::raise(SIGUSR2);
    ASSERT_TRUE(run_until(reactor_, [&] { return subscriber.times() == 2; }));
  }
  run_ready_events();
  detail::enable_handler_chaining(nullptr);
  EXPECT_EQ(first_handler_calls, 1);
  EXPECT_EQ(second_handler_calls, 1);
  std::raise(SIGUSR2);
  EXPECT_EQ(second_handler_calls, 2) << "the last user handler stays installed";
  ::sigaction(SIGUSR2, &before, nullptr);
}

// R4
TEST_F(SignalEventTest, StartOnUncatchableSignalFails) {
  Ref<Event> event = reactor_.new_signal(SIGKILL);
  const std::exception_ptr error = event->start();
  ASSERT_TRUE(error);
  EXPECT_NE(error_text(error).find("signal 9"), std::string::npos) << error_text(error);
  EXPECT_EQ(reactor_.liveness().foreground, 0u);
}

}  // namespace
}  // namespace trueasync::test
