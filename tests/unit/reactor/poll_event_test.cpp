// Poll events: readiness of descriptors.
#include "epoll_reactor_fixture.hpp"

namespace trueasync::test {
namespace {

using PollEventTest = EpollReactorTest;

// REA-02
TEST_F(PollEventTest, ReadableNotifiesReader) {
  auto [read_end, write_end] = make_pipe();
  Ref<Event> event = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber subscriber(*event);
  EXPECT_EQ(reactor_.liveness().foreground, 1u);
  run_ready_events();
  EXPECT_EQ(subscriber.times(), 0u);
  write_end.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(subscriber.values, Values{kPollReadable});
  read_end.read_byte();
  run_ready_events();
  EXPECT_EQ(subscriber.times(), 1u);
}

// REA-02
TEST_F(PollEventTest, WritableNotifiesWriter) {
  auto [read_end, write_end] = make_pipe();
  write_end.fill();
  Ref<Event> event = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber subscriber(*event);
  run_ready_events();
  EXPECT_EQ(subscriber.times(), 0u);
  for (int i = 0; i < 65536; ++i) {
    char block[64];
    if (::read(read_end.get(), block, sizeof block) < 64) break;
    if (i == 1023) break;
  }
  ASSERT_TRUE(run_until(reactor_, [&] { return subscriber.times() > 0; }));
  EXPECT_EQ(subscriber.values[0], kPollWritable);
}

// REA-03
TEST_F(PollEventTest, EventsShareHandleAndSeeOnlyTheirInterest) {
  auto [local, peer] = make_socket_pair();
  Ref<Event> reader = reactor_.new_poll(local.get(), kPollReadable);
  Ref<Event> writer = reactor_.new_poll(local.get(), kPollWritable);
  Ref<Event> both = reactor_.new_poll(local.get(), kPollReadable | kPollWritable);
  RecordingSubscriber reader_subscriber(*reader);
  RecordingSubscriber writer_subscriber(*writer);
  RecordingSubscriber both_subscriber(*both);
  EXPECT_EQ(reactor_.polls().size(), 1u);
  EXPECT_EQ(reactor_.liveness().foreground, 3u);
  reactor_.run_once(true);
  EXPECT_EQ(reader_subscriber.times(), 0u);
  EXPECT_EQ(writer_subscriber.values, Values{kPollWritable});
  EXPECT_EQ(both_subscriber.values, Values{kPollWritable});
  peer.write_byte();
  reactor_.run_once(true);
  EXPECT_EQ(reader_subscriber.values, Values{kPollReadable});
  EXPECT_EQ(writer_subscriber.values.back(), kPollWritable);
  EXPECT_EQ(both_subscriber.values.back(), kPollReadable | kPollWritable);
}

// IO-10 CA-05
TEST_F(PollEventTest, UnsubscribeKeepsOtherEventsOfDescriptor) {
  auto [local, peer] = make_socket_pair();
  std::vector<Ref<Event>> events;
  std::vector<std::unique_ptr<RecordingSubscriber>> subscribers;
  for (int i = 0; i < 4; ++i) {
    events.push_back(reactor_.new_poll(local.get(), i == 0 ? kPollWritable : kPollReadable));
    subscribers.push_back(std::make_unique<RecordingSubscriber>(*events.back()));
  }
  subscribers[0]->unsubscribe();
  subscribers[2]->unsubscribe();
  peer.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(subscribers[0]->times(), 0u);
  EXPECT_EQ(subscribers[1]->times(), 1u);
  EXPECT_EQ(subscribers[2]->times(), 0u);
  EXPECT_EQ(subscribers[3]->times(), 1u);
}

// EVT-02 IO-10
TEST_F(PollEventTest, CallbackMayUnsubscribeAllEventsOfDescriptor) {
  auto [local, peer] = make_socket_pair();
  Ref<Event> first = reactor_.new_poll(local.get(), kPollReadable);
  Ref<Event> second = reactor_.new_poll(local.get(), kPollReadable);
  std::unique_ptr<RecordingSubscriber> first_subscriber;
  std::unique_ptr<RecordingSubscriber> second_subscriber;
  first_subscriber = std::make_unique<RecordingSubscriber>(*first, [&] {
    first_subscriber->unsubscribe();
    second_subscriber->unsubscribe();
    second = nullptr;
  });
  second_subscriber = std::make_unique<RecordingSubscriber>(*second);
  peer.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(first_subscriber->times(), 1u);
  EXPECT_EQ(second_subscriber->times(), 0u);
  EXPECT_TRUE(reactor_.polls().empty());
}

// IO-08
TEST_F(PollEventTest, HangUpNotifiesReadersAndWriters) {
  auto [local, peer] = make_socket_pair();
  local.fill();
  Ref<Event> reader = reactor_.new_poll(local.get(), kPollReadable);
  Ref<Event> writer = reactor_.new_poll(local.get(), kPollWritable);
  RecordingSubscriber reader_subscriber(*reader);
  RecordingSubscriber writer_subscriber(*writer);
  run_ready_events();
  EXPECT_EQ(reader_subscriber.times() + writer_subscriber.times(), 0u);
  peer.close();
  ASSERT_TRUE(run_until(reactor_, [&] { return reader_subscriber.times() > 0 && writer_subscriber.times() > 0; }));
}

// IO-08 R3
TEST_F(PollEventTest, ClosedReadEndNotifiesPipeWriters) {
  auto [read_end, write_end] = make_pipe();
  write_end.fill();
  Ref<Event> first = reactor_.new_poll(write_end.get(), kPollWritable);
  Ref<Event> second = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber first_subscriber(*first);
  RecordingSubscriber second_subscriber(*second);
  read_end.close();
  ASSERT_TRUE(run_until(reactor_, [&] { return first_subscriber.times() > 0; }));
  for (RecordingSubscriber* subscriber : {&first_subscriber, &second_subscriber}) {
    ASSERT_EQ(subscriber->times(), 1u);
    EXPECT_EQ(subscriber->values[0], kPollWritable | kPollError);
    EXPECT_FALSE(subscriber->error) << "the next write reports the error";
  }
}

// IO-08
TEST_F(PollEventTest, EventStartedAfterErrorIsNotified) {
  auto [read_end, write_end] = make_pipe();
  read_end.close();
  Ref<Event> early = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber early_subscriber(*early);
  ASSERT_TRUE(run_until(reactor_, [&] { return early_subscriber.times() == 1; }));
  Ref<Event> late = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber late_subscriber(*late);
  ASSERT_TRUE(run_until(reactor_, [&] { return late_subscriber.times() > 0; }));
  EXPECT_EQ(late_subscriber.values[0], kPollWritable | kPollError);
}

// IO-08
TEST_F(PollEventTest, ErrorOnClosedDescriptorIsBadFileDescriptor) {
  auto [read_end, write_end] = make_pipe();
  write_end.fill();
  UniqueFd same_file(::dup(write_end.get()));  // keeps the file open, so the closed descriptor stays in the epoll set
  Ref<Event> event = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber subscriber(*event);
  run_ready_events();
  EXPECT_EQ(subscriber.times(), 0u);
  write_end.close();
  read_end.close();
  ASSERT_TRUE(run_until(reactor_, [&] { return subscriber.times() > 0; }));
  EXPECT_NE(error_text(subscriber.error).find("bad file descriptor"), std::string::npos);
}

// IO-08 R4
TEST_F(PollEventTest, StartOnUnpollableDescriptorFails) {
  UniqueFd file(::open("/proc/self/exe", O_RDONLY));
  UniqueFd stale(::dup(file.get()));
  const int closed = stale.get();
  stale.close();
  for (int fd : {closed, file.get(), -1}) {
    Ref<Event> event = reactor_.new_poll(fd, kPollReadable);
    const std::exception_ptr error = event->start();
    ASSERT_TRUE(error) << fd;
    EXPECT_NE(error_text(error).find("descriptor " + std::to_string(fd)), std::string::npos) << error_text(error);
    EXPECT_FALSE(event->is_active());
  }
  EXPECT_EQ(reactor_.liveness().foreground, 0u);
}

// IO-04
TEST_F(PollEventTest, ReusedDescriptorNumberCanBePolled) {
  auto [read_end, write_end] = make_pipe();
  const int number = read_end.get();
  {
    Ref<Event> event = reactor_.new_poll(number, kPollReadable);
    RecordingSubscriber subscriber(*event);
  }
  read_end.close();
  auto [next_read, next_write] = make_pipe();
  ASSERT_EQ(next_read.get(), number) << "the kernel reuses the lowest free number";
  Ref<Event> event = reactor_.new_poll(number, kPollReadable);
  RecordingSubscriber subscriber(*event);
  next_write.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(subscriber.values, Values{kPollReadable});
}

}  // namespace
}  // namespace trueasync::test
