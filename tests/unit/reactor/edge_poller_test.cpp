#include "reactor/epoll/epoll_poller.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "reactor/descriptor_registration.hpp"
#include "support/descriptor.hpp"
#include "uv_fixture.hpp"

namespace trueasync::test {
namespace {

using detail::EpollEntry;
using detail::EpollPoller;

class Listener final : public EpollEntry {
 public:
  explicit Listener(const UniqueFd& descriptor) : EpollEntry(descriptor.get()) {}
  void on_ready(std::uint32_t events) noexcept override {
    if (events & EPOLLIN) ++readable;
    if (action) action();
  }
  int readable = 0;
  std::function<void()> action;
};

class EdgePollerTest : public ::testing::Test {
 protected:
  EdgePollerTest() { EXPECT_EQ(poller_.open(guest_[0].get()), 0); }
  ~EdgePollerTest() override { EXPECT_EQ(poller_.size(), 0u); }

  std::array<UniqueFd, 2> guest_ = make_pipe();
  std::array<UniqueFd, 2> pair_ = make_socket_pair();
  EpollPoller poller_;
};

TEST_F(EdgePollerTest, TellsOfAnArrivalOnce) {
  // REA-03
  Listener listener(pair_[0]);
  ASSERT_EQ(poller_.add(listener), 0);
  pair_[1].write_byte();
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(poller_.poll(0));
  EXPECT_EQ(listener.readable, 1);
  pair_[1].write_byte();
  poller_.poll(0);
  EXPECT_EQ(listener.readable, 2);
  poller_.remove(listener);
}

TEST_F(EdgePollerTest, SaysThatTheGuestHasSomethingToDoAsLongAsItHas) {
  EXPECT_FALSE(poller_.poll(0));
  guest_[1].write_byte();
  EXPECT_TRUE(poller_.poll(0));
  EXPECT_TRUE(poller_.poll(-1));
  guest_[0].read_byte();
  EXPECT_FALSE(poller_.poll(0));
}

TEST_F(EdgePollerTest, TwoOnOneDescriptorAreBothToldAndOneMayLeave) {
  // REA-03 IO-10
  Listener first(pair_[0]);
  Listener second(pair_[0]);
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

TEST_F(EdgePollerTest, OfTwoOnOneDescriptorOneMayDestroyTheOtherWhileItIsTold) {
  // IO-04 IO-10
  Listener first(pair_[0]);
  auto second = std::make_unique<Listener>(pair_[0]);
  Listener third(pair_[0]);
  for (Listener* each : {&first, second.get(), &third}) ASSERT_EQ(poller_.add(*each), 0);
  first.action = [&] {
    if (!second) return;
    poller_.remove(*second);
    second = nullptr;
  };
  pair_[1].write_byte();
  poller_.poll(0);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(first.readable, 1);
  EXPECT_EQ(third.readable, 1) << "the one behind is told all the same";
  poller_.remove(first);
  poller_.remove(third);
}

TEST_F(EdgePollerTest, WhoLeavesWhileOthersAreToldHearsNothingMore) {
  // IO-04
  auto other = make_socket_pair();
  Listener first(pair_[0]);
  Listener second(other[0]);
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
  EXPECT_EQ(first.readable + second.readable, 1) << "whoever was told first took the other away";
  if (first.is_registered()) poller_.remove(first);
  if (second.is_registered()) poller_.remove(second);
}

TEST_F(EdgePollerTest, WhatCantBePolledIsAnError) {
  const UniqueFd file(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  Listener listener(file);
  EXPECT_EQ(poller_.add(listener), EPERM);
  EXPECT_FALSE(listener.is_registered());
}

TEST_F(EdgePollerTest, OpenedAnewItHasEverybodyAgain) {
  // SH-11
  Listener listener(pair_[0]);
  ASSERT_EQ(poller_.add(listener), 0);
  ASSERT_EQ(poller_.open(guest_[0].get()), 0);
  pair_[1].write_byte();
  guest_[1].write_byte();
  EXPECT_TRUE(poller_.poll(0));
  EXPECT_EQ(listener.readable, 1);
  poller_.remove(listener);
}

TEST_F(UvReactorTest, AnEdgeWatchLivesAsLongAsOneOfItsEventsIsHeld) {
  // R2
  auto pair = make_socket_pair();
  auto watch = reactor_.new_registration(pair[0].get(), detail::PollMode::edge);
  Ref<Event> readable(&watch->readable());
  {
    RecordingSubscriber told(*readable);
    watch = nullptr;
    pair[1].write_byte();
    settle();
    EXPECT_EQ(told.values, Values{kPollReadable});
    EXPECT_EQ(reactor_.registrations(), 1u);
  }
  readable = nullptr;
  EXPECT_EQ(reactor_.registrations(), 0u);
}

}  // namespace
}  // namespace trueasync::test
