// EpollReactor: close(), events that outlive the reactor, and fork.
#include <sys/wait.h>

#include <csignal>

#include "epoll_reactor_fixture.hpp"
#include "reactor/timer_event.hpp"

namespace trueasync::test {
namespace {

using detail::EpollReactor;
using detail::TimerEvent;
using detail::TriggerEvent;

bool has(const std::vector<std::string>& descriptions, const std::string& part) {
  for (const std::string& description : descriptions) {
    if (description.find(part) != std::string::npos) return true;
  }
  return false;
}

// SH-01
TEST(EpollReactorClose, CloseDescribesOutstandingEvents) {
  auto [read_end, write_end] = make_pipe();
  EpollReactor reactor;
  Ref<Event> poll = reactor.new_poll(read_end.get(), kPollReadable);
  Ref<Event> signal = reactor.new_signal(SIGUSR1);
  Ref<TriggerEvent> trigger = reactor.new_trigger();
  EXPECT_FALSE(poll->start());
  EXPECT_FALSE(signal->start());
  const std::vector<std::string> leaked = reactor.close();
  EXPECT_EQ(leaked.size(), 3u);
  EXPECT_TRUE(has(leaked, "descriptor " + std::to_string(read_end.get())));
  EXPECT_TRUE(has(leaked, "signal " + std::to_string(SIGUSR1)));
  EXPECT_TRUE(has(leaked, "trigger"));
  EXPECT_TRUE(reactor.close().empty()) << "a second close() has no effect";
  poll->stop();
  signal->stop();
}

// SH-01
TEST(EpollReactorClose, CloseOfUnusedReactorReportsNothing) {
  EpollReactor reactor;
  EXPECT_TRUE(reactor.close().empty());
}

// SH-01 IO-04 R4
TEST(EpollReactorClose, EventsMayOutliveReactor) {
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll;
  Ref<Event> signal;
  Ref<TriggerEvent> trigger;
  {
    EpollReactor reactor;
    poll = reactor.new_poll(read_end.get(), kPollReadable);
    signal = reactor.new_signal(SIGUSR1);
    trigger = reactor.new_trigger();
    EXPECT_FALSE(poll->start());
    EXPECT_FALSE(signal->start());
    EXPECT_FALSE(trigger->start());
  }
  trigger->fire();
  for (Event* event : {poll.get(), signal.get(), static_cast<Event*>(trigger.get())}) event->stop();
  EXPECT_NE(error_text(poll->start()).find("runtime was destroyed"), std::string::npos);
  EXPECT_NE(error_text(signal->start()).find("runtime was destroyed"), std::string::npos);
  EXPECT_NE(error_text(trigger->start()).find("runtime was destroyed"), std::string::npos);
  EXPECT_FALSE(poll->is_active());
}

// Runs `body` in a child process and returns its result. The child exits without destructors, because the parent owns
// the inherited objects.
template <class Body>
bool run_in_child(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// SH-11
TEST_F(EpollReactorTest, ReactorWorksInForkedChild) {
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, 1ms));
  RecordingSubscriber poll_subscriber(*poll);
  RecordingSubscriber trigger_subscriber(*trigger);
  run_ready_events();
  EXPECT_TRUE(run_in_child([&, &writer = write_end] {
    reactor_.after_fork();
    RecordingSubscriber timer_subscriber(*timer);
    writer.write_byte();
    trigger->fire();
    return run_until(reactor_,
                     [&] { return poll_subscriber.times() && trigger_subscriber.times() && timer_subscriber.times(); });
  }));
}

// SH-11
TEST_F(EpollReactorTest, ForkedChildDoesNotChangeParentsRegistrations) {
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber subscriber(*poll);
  run_ready_events();
  EXPECT_TRUE(run_in_child([&] {
    reactor_.after_fork();
    subscriber.unsubscribe();  // in a shared epoll set this would remove the parent's registration
    reactor_.run_once(true);
    return true;
  }));
  run_ready_events();
  EXPECT_EQ(subscriber.times(), 0u);
  write_end.write_byte();
  ASSERT_TRUE(run_until(reactor_, [&] { return subscriber.times() > 0; }));
}

}  // namespace
}  // namespace trueasync::test
