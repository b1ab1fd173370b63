// The end of a libuv reactor, and its second life in the child of a fork.
#include <sys/wait.h>

#include <csignal>

#include "reactor/timer_event.hpp"
#include "uv_fixture.hpp"

namespace trueasync::test {
namespace {

using detail::EpollReactor;
using detail::TimerEvent;
using detail::TriggerEvent;

bool has(const std::vector<std::string>& names, const std::string& part) {
  for (const std::string& name : names) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(UvReactorClose, NamesWhatIsLeft) {
  // SH-01
  auto [read_end, write_end] = make_pipe();
  EpollReactor reactor;
  Ref<Event> poll = reactor.new_poll(read_end.get(), kPollReadable);
  Ref<Event> signal = reactor.new_signal(SIGUSR1);
  Ref<TriggerEvent> trigger = reactor.new_trigger();
  EXPECT_FALSE(poll->start());
  EXPECT_FALSE(signal->start());
  const std::vector<std::string> left = reactor.close();
  EXPECT_EQ(left.size(), 3u);
  EXPECT_TRUE(has(left, "descriptor " + std::to_string(read_end.get())));
  EXPECT_TRUE(has(left, "signal " + std::to_string(SIGUSR1)));
  EXPECT_TRUE(has(left, "trigger"));
  EXPECT_TRUE(reactor.close().empty()) << "a second close has nothing to do";
  poll->stop();
  signal->stop();
}

TEST(UvReactorClose, AnUnusedReactorLeavesNothing) {
  // SH-01
  EpollReactor reactor;
  EXPECT_TRUE(reactor.close().empty());
}

TEST(UvReactorClose, EventsThatOutliveTheReactorAreHarmless) {
  // SH-01 IO-04 R4
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
  EXPECT_NE(text_of(poll->start()).find("runtime was destroyed"), std::string::npos);
  EXPECT_NE(text_of(signal->start()).find("runtime was destroyed"), std::string::npos);
  EXPECT_NE(text_of(trigger->start()).find("runtime was destroyed"), std::string::npos);
  EXPECT_FALSE(poll->is_active());
}

// Runs `body` in a child; true if it returned true. The child leaves without destructors: what it inherited is not its.
template <class Body>
bool in_child(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(body() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(UvReactorTest, TheLoopWorksInTheChildOfAFork) {
  // SH-11
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  Ref<TriggerEvent> trigger = reactor_.new_trigger();
  Ref<TimerEvent> timer = Ref<TimerEvent>::adopt(new TimerEvent(reactor_, 1ms));
  RecordingSubscriber told_poll(*poll);
  RecordingSubscriber told_trigger(*trigger);
  settle();
  EXPECT_TRUE(in_child([&, &writer = write_end] {
    reactor_.after_fork();
    RecordingSubscriber told_timer(*timer);
    writer.write_byte();
    trigger->fire();
    return turn_until(reactor_, [&] { return told_poll.times() && told_trigger.times() && told_timer.times(); });
  }));
}

TEST_F(UvReactorTest, TheChildOfAForkTakesNothingFromTheParentsLoop) {
  // SH-11
  auto [read_end, write_end] = make_pipe();
  Ref<Event> poll = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber told(*poll);
  settle();
  EXPECT_TRUE(in_child([&] {
    reactor_.after_fork();
    told.unsubscribe();  // in a shared epoll set this would take the descriptor away from the parent
    reactor_.run_once(true);
    return true;
  }));
  settle();
  EXPECT_EQ(told.times(), 0u);
  write_end.write_byte();
  ASSERT_TRUE(turn_until(reactor_, [&] { return told.times() > 0; }));
}

}  // namespace
}  // namespace trueasync::test
