#include "trueasync/sync/channel.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "close_reason.hpp"
#include "support/reactor_test.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

class ChannelTest : public test::ReactorTest {};

// CH-09
TEST_P(ChannelTest, RendezvousSendReturnsWhenValueIsReceived) {
  run([&] {
    Channel<int> channel;
    bool sent = false;
    auto sender = spawn([&] {
      channel.send(1);
      sent = true;
    });
    yield();
    EXPECT_FALSE(sent);
    EXPECT_EQ(channel.recv(), 1);
    await(sender);
    EXPECT_TRUE(sent);
  });
}

TEST_P(ChannelTest, BufferedSendDoesNotWaitUpToCapacity) {
  run([&] {
    Channel<std::unique_ptr<int>> channel(2);
    channel.send(std::make_unique<int>(1));
    channel.send(std::make_unique<int>(2));
    EXPECT_TRUE(channel.is_full());
    auto third = std::make_unique<int>(3);
    EXPECT_FALSE(channel.try_send(std::move(third)));
    EXPECT_TRUE(third);  // a failed try_send() does not move the value
    EXPECT_EQ(*channel.recv(), 1);
    EXPECT_EQ(*channel.recv(), 2);
    EXPECT_FALSE(channel.try_recv());
    EXPECT_TRUE(channel.is_empty());
  });
}

// CH-01 R1
TEST_P(ChannelTest, ValueOfCancelledReceiverGoesToNextReceiver) {
  for (std::size_t capacity : {0, 1}) {
    run([&] {
      Channel<int> channel(capacity);
      int got = 0;
      auto first = spawn([&] { channel.recv(); });
      auto second = spawn([&] { got = channel.recv(); });
      yield();
      channel.send(5);
      first.cancel();  // granted 5, has not run
      await(second);
      EXPECT_EQ(got, 5);
    });
  }
}

// CH-01
TEST_P(ChannelTest, ValuesOfCancelledReceiversReturnInOrder) {
  for (std::size_t capacity : {0, 1}) {
    run([&] {
      Channel<int> channel(capacity);
      auto first = spawn([&] { channel.recv(); });
      auto second = spawn([&] { channel.recv(); });
      yield();
      channel.send(1);
      channel.send(2);
      second.cancel();
      first.cancel();
      yield();
      EXPECT_EQ(channel.count(), 2u);
      EXPECT_EQ(channel.recv(), 1);  // in the order they were sent
      EXPECT_EQ(channel.recv(), 2);
    });
  }
}

// CH-02 CH-07
TEST_P(ChannelTest, SendSucceedsIfCancelledAfterValueIsBuffered) {
  run([&] {
    Channel<int> channel(1);
    channel.send(0);
    bool sent = false;
    auto sender = spawn([&] {
      channel.send(1);
      sent = true;
      yield();
    });
    auto next = spawn([&] { channel.send(2); });
    yield();
    EXPECT_EQ(channel.recv(), 0);  // 1 moves into the buffer
    sender.cancel();
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(channel.recv(), 2);
    await(next);
    EXPECT_THROW(await(sender), Cancelled);
    EXPECT_TRUE(sent);
  });
}

// CH-03 CH-04
TEST_P(ChannelTest, GrantedValueIsNotAvailableToOthers) {
  run([&] {
    Channel<int> channel(1);
    std::vector<int> got;
    auto receiver = spawn([&] { got.push_back(channel.recv()); });
    yield();
    channel.send(1);  // granted to the receiver, which has not run
    EXPECT_FALSE(channel.try_recv());
    auto future = channel.recv_async();
    EXPECT_FALSE(future.is_completed());
    EXPECT_TRUE(channel.is_empty());
    await(receiver);
    EXPECT_EQ(got, (std::vector<int>{1}));
    channel.send(2);
    EXPECT_EQ(await(future), 2);
  });
}

// CH-05
TEST_P(ChannelTest, InterruptedRendezvousSendWithdrawsValue) {
  run([&] {
    Channel<int> channel;
    EXPECT_THROW(channel.send(1, 1ms), TimeoutError);
    EXPECT_THROW(channel.send(2, timeout(1ms)), OperationCancelled);
    auto sender = spawn([&] { channel.send(3); });
    yield();
    sender.cancel();
    yield();
    EXPECT_FALSE(channel.try_recv());
  });
}

// CH-06 CH-10
TEST_P(ChannelTest, SendersAreFulfilledInFifoOrder) {
  for (std::size_t capacity : {0, 1}) {
    run([&] {
      Channel<int> channel(capacity);
      if (capacity == 1) channel.send(0);
      std::vector<Task<void>> senders;
      for (int i = 1; i <= 3; ++i) senders.push_back(spawn([&, i] { channel.send(i); }));
      yield();
      std::vector<int> got{channel.recv()};
      EXPECT_FALSE(channel.try_send(9));
      senders.push_back(spawn([&] { channel.send(4); }));
      const std::size_t all = capacity == 1 ? 5 : 4;
      while (got.size() < all) got.push_back(channel.recv());
      EXPECT_TRUE(std::is_sorted(got.begin(), got.end()));
      for (auto& sender : senders) await(sender);
    });
  }
}

// CH-07 CH-08
TEST_P(ChannelTest, CloseFailsWaitingSendersButNotFulfilledOnes) {
  run([&] {
    Channel<int> channel;
    CloseReason first = CloseReason::none, second = CloseReason::none;
    auto taken = spawn([&] { first = reason_of([&] { channel.send(1); }); });
    auto parked = spawn([&] { second = reason_of([&] { channel.send(2); }); });
    yield();
    EXPECT_EQ(channel.recv(), 1);
    channel.close();
    EXPECT_EQ(reason_of([&] { channel.recv(); }), CloseReason::closed);  // 2 was rolled back
    await(taken);
    await(parked);
    EXPECT_EQ(first, CloseReason::none);
    EXPECT_EQ(second, CloseReason::closed);
  });
}

// CH-16 CH-14
TEST_P(ChannelTest, CloseKeepsBufferedValuesAndFirstReason) {
  run([&] {
    Channel<int> channel(3);
    channel.send(1);
    channel.send(2);
    channel.close(CloseReason::scope_disposed);
    channel.close();
    EXPECT_EQ(reason_of([&] { channel.send(3); }), CloseReason::scope_disposed);
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(channel.recv(), 2);
    EXPECT_EQ(reason_of([&] { channel.recv(); }), CloseReason::scope_disposed);
    EXPECT_EQ(reason_of([&] { await(channel.recv_async()); }), CloseReason::scope_disposed);
  });
}

// CH-12 CH-13
TEST_P(ChannelTest, IterationEndsAtCloseAndThrowsForOtherReasons) {
  run([&] {
    Channel<int> channel;
    auto producer = spawn([&] {
      for (int i = 0; i < 3; ++i) channel.send(i);
      channel.close();
    });
    std::vector<int> got;
    for (int& value : channel) got.push_back(value);
    EXPECT_EQ(got, (std::vector<int>{0, 1, 2}));

    Channel<int> disposed(1);
    auto consumer = spawn([&] { return reason_of([&] { disposed.next(); }); });
    yield();
    disposed.close(CloseReason::scope_disposed);
    EXPECT_EQ(await(consumer), CloseReason::scope_disposed);
  });
}

// CH-11
TEST_P(ChannelTest, DestroyedFutureLeavesQueue) {
  run([&] {
    Channel<int> channel(1);
    channel.recv_async();
    auto kept = channel.recv_async();
    channel.send(1);
    EXPECT_EQ(await(kept), 1);
    EXPECT_NE(channel.describe().find("0 receivers wait"), std::string::npos);
    channel.send(2);
    EXPECT_EQ(await(channel.recv_async()), 2);
    auto late = channel.recv_async();
    channel.close();
    EXPECT_EQ(reason_of([&] { await(late); }), CloseReason::closed);
  });
}

TEST_P(ChannelTest, DestroyingLastHandleClosesChannel) {
  run([&] {
    auto channel = std::make_unique<Channel<int>>();
    Task<CloseReason> waiter = spawn([&ref = *channel] { return reason_of([&] { ref.recv(); }); });
    yield();
    channel.reset();
    EXPECT_EQ(await(waiter), CloseReason::disposed);
  });
}

// R1 CXL-05
TEST_P(ChannelTest, ReceiveEventWorksInWaitAny) {
  run([&] {
    Channel<int> one, two;
    auto first = one.receive_event();
    auto second = two.receive_event();
    Event* events[] = {first.get(), second.get()};
    auto sender = spawn([&] { two.send(7); });
    EXPECT_EQ(wait_any(events), 1u);
    EXPECT_EQ(second->take(), 7);
    EXPECT_FALSE(one.try_send(1));  // no receiver waits
    EXPECT_THROW(first->take(), MisuseError);

    // A value that was granted and not taken returns to the channel.
    auto waiter = spawn([&] {
      Event* only[] = {first.get()};
      wait_any(only);
    });
    yield();
    one.send(8);
    waiter.cancel();
    EXPECT_EQ(one.recv(), 8);
    one.close();
    EXPECT_EQ(wait_any(events), 0u);
    EXPECT_EQ(reason_of([&] { first->take(); }), CloseReason::closed);
    await(sender);
  });
}

TEST_P(ChannelTest, DestroyedReceiveEventReturnsValue) {
  run([&] {
    Channel<int> channel(2);
    channel.send(1);
    channel.send(2);
    {
      auto event = channel.receive_event();
      Event* events[] = {event.get()};
      wait_any(events);
      EXPECT_EQ(channel.count(), 1u);
    }
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(channel.recv(), 2);
  });
}

// CH-14 CH-15
TEST_P(ChannelTest, TimeoutClosesChannelWithoutPeer) {
  run([&] {
    Channel<int> empty({.no_producer_timeout = 5ms, .timer_mode = ChannelTimerMode::foreground});
    EXPECT_EQ(reason_of([&] { empty.recv(); }), CloseReason::no_producers);
    Channel<int> full({.no_consumer_timeout = 5ms, .timer_mode = ChannelTimerMode::foreground});
    EXPECT_EQ(reason_of([&] { full.send(1); }), CloseReason::no_consumers);
    Channel<int> fulfilled({.no_producer_timeout = 1h, .timer_mode = ChannelTimerMode::foreground});
    auto sender = spawn([&] { fulfilled.send(1); });
    EXPECT_EQ(fulfilled.recv(), 1);
    EXPECT_THROW(fulfilled.recv(1ms), TimeoutError);
    EXPECT_EQ(scheduler().reactor().timers().size(), 0u);  // no timer is armed without waiters
    await(sender);
  });
}

// CH-15 CH-17
TEST_P(ChannelTest, BackgroundTimerDoesNotKeepProgramAlive) {
  run([&] {
    Channel<int> channel({.no_producer_timeout = 1h});
    try {
      channel.recv();
      FAIL() << "no sender exists";
    } catch (const ChannelError& error) {
      EXPECT_EQ(error.reason(), CloseReason::deadlock);
      EXPECT_NE(std::string(error.what()).find("a channel (0 of 0 buffered, 0 senders and 1 receivers wait"),
                std::string::npos);
    }
  });
}

// CH-14 CH-16 DLK-01
TEST_P(ChannelTest, DeadlockClosesChannelsWithWaiters) {
  run([&] {
    Channel<int> empty;
    Channel<int> full(1);
    full.send(1);
    auto receiver = spawn([&] { return reason_of([&] { empty.recv(); }); });
    auto sender = spawn([&] { return reason_of([&] { full.send(2); }); });
    auto event = spawn([&] {
      auto receive = empty.receive_event();
      Event* events[] = {receive.get()};
      wait_any(events);
      return reason_of([&] { receive->take(); });
    });
    auto future = spawn([&] { return reason_of([&] { await(empty.recv_async()); }); });
    EXPECT_EQ(await(receiver), CloseReason::deadlock);
    EXPECT_EQ(await(sender), CloseReason::deadlock);
    EXPECT_EQ(await(event), CloseReason::deadlock);
    EXPECT_EQ(await(future), CloseReason::deadlock);
    EXPECT_EQ(full.recv(), 1);  // buffered values remain
    EXPECT_EQ(reason_of([&] { full.recv(); }), CloseReason::deadlock);
    EXPECT_EQ(runtime().statistics().deadlocks, 1u);
  });
}

// CH-14
TEST_P(ChannelTest, DeadlockDoesNotCloseChannelWithoutWaiters) {
  run([&] {
    Channel<int> idle(1);
    EXPECT_EQ(reason_of([] { Channel<int>().recv(); }), CloseReason::deadlock);
    EXPECT_FALSE(idle.is_closed());
  });
}

// CH-17
TEST_P(ChannelTest, DescribeShowsReservedValues) {
  run([&] {
    Channel<int> channel(1);
    auto receiver = spawn([&] { channel.recv(); });
    yield();
    channel.send(1);
    EXPECT_NE(channel.describe().find("1 values reserved for receivers"), std::string::npos);
    await(receiver);
    EXPECT_EQ(channel.describe().find("reserved"), std::string::npos);
  });
}

TEST_P(ChannelTest, TokenReceivesValueSentByItsOwnWait) {
  // The sender is woken before it is suspended.
  run([&] {
    Channel<int> channel;
    auto token = channel.receive_event();
    channel.send(4, *token);
    EXPECT_EQ(token->take(), 4);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(ChannelTest);

}  // namespace
}  // namespace trueasync
