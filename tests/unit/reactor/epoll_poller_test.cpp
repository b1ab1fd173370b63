#include "reactor/epoll/epoll_poller.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "epoll_reactor_fixture.hpp"
#include "reactor/descriptor_registration.hpp"
#include "support/descriptor.hpp"

namespace trueasync::test {
namespace {

using detail::EpollEntry;
using detail::EpollPoller;

// Counts the notifications of readability.
class CountingEntry final : public EpollEntry {
 public:
  explicit CountingEntry(const UniqueFd& descriptor) : EpollEntry(descriptor.get()) {}
  void on_ready(std::uint32_t events) noexcept override {
    if (events & EPOLLIN) ++readable;
    if (action) action();
  }
  int readable = 0;
  std::function<void()> action;
};

class EpollPollerTest : public ::testing::Test {
 protected:
  EpollPollerTest() { EXPECT_EQ(poller_.open(nested_poll_fd_[0].get()), 0); }
  ~EpollPollerTest() override { EXPECT_EQ(poller_.size(), 0u); }

  std::array<UniqueFd, 2> nested_poll_fd_ = make_pipe();
  std::array<UniqueFd, 2> pair_ = make_socket_pair();
  EpollPoller poller_;
};

// REA-03
TEST_F(EpollPollerTest, EachEdgeIsNotifiedOnce) {
  CountingEntry entry(pair_[0]);
  ASSERT_EQ(poller_.add(entry), 0);
  pair_[1].write_byte();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(poller_.poll(0));
  EXPECT_EQ(entry.readable, 1);
  pair_[1].write_byte();
  poller_.poll(0);
  EXPECT_EQ(entry.readable, 2);
  poller_.remove(entry);
}

TEST_F(EpollPollerTest, PollReturnsTrueWhileNestedDescriptorIsReady) {
  EXPECT_FALSE(poller_.poll(0));
  nested_poll_fd_[1].write_byte();
  EXPECT_TRUE(poller_.poll(0));
  EXPECT_TRUE(poller_.poll(-1));
  nested_poll_fd_[0].read_byte();
  EXPECT_FALSE(poller_.poll(0));
}

// REA-03 IO-10
TEST_F(EpollPollerTest, EntriesOnOneDescriptorAreNotifiedIndependently) {
  CountingEntry first(pair_[0]);
  CountingEntry second(pair_[0]);
  ASSERT_EQ(poller_.add(first), 0);
  ASSERT_EQ(poller_.add(second), 0);
  pair_[1].write_byte();
  poller_.poll(0);
  EXPECT_EQ(first.readable, 1);
  EXPECT_EQ(second.readable, 1);
  poller_.remove(second);
  pair_[1].write_byte();
  poller_.poll(0);
  EXPECT_GE(first.readable, 2);
  EXPECT_EQ(second.readable, 1);
  poller_.remove(first);
}

// IO-04 IO-10
TEST_F(EpollPollerTest, EntryMayDestroyAnotherOnSameDescriptorDuringDispatch) {
  CountingEntry first(pair_[0]);
  auto second = std::make_unique<CountingEntry>(pair_[0]);
  CountingEntry third(pair_[0]);
  for (CountingEntry* entry : {&first, second.get(), &third}) ASSERT_EQ(poller_.add(*entry), 0);
  first.action = [&] {
    if (!second) return;
    poller_.remove(*second);
    second = nullptr;
  };
  pair_[1].write_byte();
  poller_.poll(0);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(first.readable, 1);
  EXPECT_EQ(third.readable, 1) << "the entry after the destroyed one is notified";
  poller_.remove(first);
  poller_.remove(third);
}

// IO-04
TEST_F(EpollPollerTest, EntryRemovedDuringDispatchIsNotNotified) {
  auto other = make_socket_pair();
  CountingEntry first(pair_[0]);
  CountingEntry second(other[0]);
  ASSERT_EQ(poller_.add(first), 0);
  ASSERT_EQ(poller_.add(second), 0);
  poller_.poll(0);
  first.action = [&] {
    if (second.is_registered()) poller_.remove(second);
  };
  second.action = [&] {
    if (first.is_registered()) poller_.remove(first);
  };
  pair_[1].write_byte();
  other[1].write_byte();
  poller_.poll(0);
  EXPECT_EQ(first.readable + second.readable, 1) << "the entry notified first removed the other";
  if (first.is_registered()) poller_.remove(first);
  if (second.is_registered()) poller_.remove(second);
}

TEST_F(EpollPollerTest, AddOfUnpollableDescriptorFails) {
  const UniqueFd file(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  CountingEntry entry(file);
  EXPECT_EQ(poller_.add(entry), EPERM);
  EXPECT_FALSE(entry.is_registered());
}

// SH-11
TEST_F(EpollPollerTest, ReopenRegistersAllEntriesAgain) {
  CountingEntry entry(pair_[0]);
  ASSERT_EQ(poller_.add(entry), 0);
  ASSERT_EQ(poller_.open(nested_poll_fd_[0].get()), 0);
  pair_[1].write_byte();
  nested_poll_fd_[1].write_byte();
  EXPECT_TRUE(poller_.poll(0));
  EXPECT_EQ(entry.readable, 1);
  poller_.remove(entry);
}

// R2
TEST_F(EpollReactorTest, ReferenceToEventKeepsRegistrationAlive) {
  auto pair = make_socket_pair();
  auto registration = reactor_.new_registration(pair[0].get(), detail::PollMode::edge);
  Ref<Event> readable(&registration->readable());
  {
    RecordingSubscriber subscriber(*readable);
    registration = nullptr;
    pair[1].write_byte();
    run_ready_events();
    EXPECT_EQ(subscriber.values, Values{kPollReadable});
    EXPECT_EQ(reactor_.registrations(), 1u);
  }
  readable = nullptr;
  EXPECT_EQ(reactor_.registrations(), 0u);
}

}  // namespace
}  // namespace trueasync::test
