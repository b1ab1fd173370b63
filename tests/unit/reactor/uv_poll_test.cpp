// Readiness of descriptors.
#include "uv_fixture.hpp"

namespace trueasync::test {
namespace {

TEST_F(UvReactorTest, AReaderIsToldWhenThereIsSomethingToRead) {
  // REA-02
  auto [read_end, write_end] = make_pipe();
  Ref<Event> event = reactor_.new_poll(read_end.get(), kPollReadable);
  RecordingSubscriber told(*event);
  EXPECT_EQ(reactor_.liveness().foreground, 1u);
  settle();
  EXPECT_EQ(told.times(), 0u);
  write_end.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(told.values, Values{kPollReadable});
  read_end.read_byte();
  settle();
  EXPECT_EQ(told.times(), 1u);
}

TEST_F(UvReactorTest, AWriterIsToldWhenThereIsRoom) {
  // REA-02
  auto [read_end, write_end] = make_pipe();
  write_end.fill();
  Ref<Event> event = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber told(*event);
  settle();
  EXPECT_EQ(told.times(), 0u);
  for (int i = 0; i < 65536; ++i) {
    char block[64];
    if (::read(read_end.get(), block, sizeof block) < 64) break;
    if (i == 1023) break;
  }
  ASSERT_TRUE(turn_until(reactor_, [&] { return told.times() > 0; }));
  EXPECT_EQ(told.values[0], kPollWritable);
}

TEST_F(UvReactorTest, SeveralMasksShareOneHandleAndEachIsToldOnlyItsOwn) {
  // REA-03
  auto [mine, peer] = make_socket_pair();
  Ref<Event> reader = reactor_.new_poll(mine.get(), kPollReadable);
  Ref<Event> writer = reactor_.new_poll(mine.get(), kPollWritable);
  Ref<Event> both = reactor_.new_poll(mine.get(), kPollReadable | kPollWritable);
  RecordingSubscriber told_reader(*reader);
  RecordingSubscriber told_writer(*writer);
  RecordingSubscriber told_both(*both);
  EXPECT_EQ(reactor_.polls().size(), 1u);
  EXPECT_EQ(reactor_.liveness().foreground, 3u);
  reactor_.run_once(true);
  EXPECT_EQ(told_reader.times(), 0u);
  EXPECT_EQ(told_writer.values, Values{kPollWritable});
  EXPECT_EQ(told_both.values, Values{kPollWritable});
  peer.write_byte();
  reactor_.run_once(true);
  EXPECT_EQ(told_reader.values, Values{kPollReadable});
  EXPECT_EQ(told_writer.values.back(), kPollWritable);
  EXPECT_EQ(told_both.values.back(), kPollReadable | kPollWritable);
}

TEST_F(UvReactorTest, TheSurvivorsOfACancelledSiblingStayInThePollSet) {
  // IO-10 CA-05
  auto [mine, peer] = make_socket_pair();
  std::vector<Ref<Event>> events;
  std::vector<std::unique_ptr<RecordingSubscriber>> told;
  for (int i = 0; i < 4; ++i) {
    events.push_back(reactor_.new_poll(mine.get(), i == 0 ? kPollWritable : kPollReadable));
    told.push_back(std::make_unique<RecordingSubscriber>(*events.back()));
  }
  told[0]->unsubscribe();
  told[2]->unsubscribe();
  peer.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(told[0]->times(), 0u);
  EXPECT_EQ(told[1]->times(), 1u);
  EXPECT_EQ(told[2]->times(), 0u);
  EXPECT_EQ(told[3]->times(), 1u);
}

TEST_F(UvReactorTest, TellingOneWaiterMayTakeTheWholeHandleAway) {
  // EVT-02 IO-10
  auto [mine, peer] = make_socket_pair();
  Ref<Event> first = reactor_.new_poll(mine.get(), kPollReadable);
  Ref<Event> second = reactor_.new_poll(mine.get(), kPollReadable);
  std::unique_ptr<RecordingSubscriber> told_first;
  std::unique_ptr<RecordingSubscriber> told_second;
  told_first = std::make_unique<RecordingSubscriber>(*first, [&] {
    told_first->unsubscribe();
    told_second->unsubscribe();
    second = nullptr;
  });
  told_second = std::make_unique<RecordingSubscriber>(*second);
  peer.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(told_first->times(), 1u);
  EXPECT_EQ(told_second->times(), 0u);
  EXPECT_TRUE(reactor_.polls().empty());
}

TEST_F(UvReactorTest, AHangUpWakesReadersAndWriters) {
  // IO-08
  auto [mine, peer] = make_socket_pair();
  mine.fill();
  Ref<Event> reader = reactor_.new_poll(mine.get(), kPollReadable);
  Ref<Event> writer = reactor_.new_poll(mine.get(), kPollWritable);
  RecordingSubscriber told_reader(*reader);
  RecordingSubscriber told_writer(*writer);
  settle();
  EXPECT_EQ(told_reader.times() + told_writer.times(), 0u);
  peer.close();
  ASSERT_TRUE(turn_until(reactor_, [&] { return told_reader.times() > 0 && told_writer.times() > 0; }));
}

TEST_F(UvReactorTest, AWriterOfAPipeLearnsThatTheReaderIsGone) {
  // IO-08 R3
  auto [read_end, write_end] = make_pipe();
  write_end.fill();
  Ref<Event> first = reactor_.new_poll(write_end.get(), kPollWritable);
  Ref<Event> second = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber told_first(*first);
  RecordingSubscriber told_second(*second);
  read_end.close();
  ASSERT_TRUE(turn_until(reactor_, [&] { return told_first.times() > 0; }));
  for (RecordingSubscriber* told : {&told_first, &told_second}) {
    ASSERT_EQ(told->times(), 1u);
    EXPECT_EQ(told->values[0], kPollWritable | kPollError);
    EXPECT_FALSE(told->error) << "the next write tells";
  }
}

TEST_F(UvReactorTest, WhoStartsAfterAnErrorIsHeardToo) {
  // IO-08
  auto [read_end, write_end] = make_pipe();
  read_end.close();
  Ref<Event> early = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber told_early(*early);
  ASSERT_TRUE(turn_until(reactor_, [&] { return told_early.times() == 1; }));
  Ref<Event> late = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber told_late(*late);
  ASSERT_TRUE(turn_until(reactor_, [&] { return told_late.times() > 0; }));
  EXPECT_EQ(told_late.values[0], kPollWritable | kPollError);
}

TEST_F(UvReactorTest, AnErrorOnADescriptorThatWasClosedMeanwhileIsAnErrorValue) {
  // IO-08
  auto [read_end, write_end] = make_pipe();
  write_end.fill();
  UniqueFd same_file(::dup(write_end.get()));  // keeps the closed one in the kernel's set
  Ref<Event> event = reactor_.new_poll(write_end.get(), kPollWritable);
  RecordingSubscriber told(*event);
  settle();
  EXPECT_EQ(told.times(), 0u);
  write_end.close();
  read_end.close();
  ASSERT_TRUE(turn_until(reactor_, [&] { return told.times() > 0; }));
  EXPECT_NE(text_of(told.error).find("bad file descriptor"), std::string::npos);
}

TEST_F(UvReactorTest, WhatCannotBePolledIsAnErrorValue) {
  // IO-08 R4
  UniqueFd file(::open("/proc/self/exe", O_RDONLY));
  UniqueFd stale(::dup(file.get()));
  const int closed = stale.get();
  stale.close();
  for (int fd : {closed, file.get(), -1}) {
    Ref<Event> event = reactor_.new_poll(fd, kPollReadable);
    const std::exception_ptr error = event->start();
    ASSERT_TRUE(error) << fd;
    EXPECT_NE(text_of(error).find("descriptor " + std::to_string(fd)), std::string::npos) << text_of(error);
    EXPECT_FALSE(event->is_active());
  }
  EXPECT_EQ(reactor_.liveness().foreground, 0u);
}

TEST_F(UvReactorTest, ADescriptorCanBePolledAgainAfterItWasLeftEvenUnderTheSameNumber) {
  // IO-04
  auto [read_end, write_end] = make_pipe();
  const int number = read_end.get();
  {
    Ref<Event> event = reactor_.new_poll(number, kPollReadable);
    RecordingSubscriber told(*event);
  }
  read_end.close();
  auto [next_read, next_write] = make_pipe();
  ASSERT_EQ(next_read.get(), number) << "the kernel gives the lowest free number";
  Ref<Event> event = reactor_.new_poll(number, kPollReadable);
  RecordingSubscriber told(*event);
  next_write.write_byte();
  reactor_.run_once(false);
  EXPECT_EQ(told.values, Values{kPollReadable});
}

}  // namespace
}  // namespace trueasync::test
