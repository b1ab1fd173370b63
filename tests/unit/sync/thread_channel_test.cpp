#include "trueasync/threads/channel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "close_reason.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

// Runs `body` in a new thread with its own runtime.
std::thread in_thread(std::function<void()> body) {
  return std::thread([body = std::move(body)] { Runtime().run(body); });
}

TEST(ThreadChannel, DeliversEveryValueOnceInOrder) {
  constexpr int kCount = 2000;
  long sum = 0;
  std::thread producer;
  Runtime().run([&] {
    ThreadChannel<std::unique_ptr<int>> channel(4);
    producer = in_thread([=] {
      for (int i = 0; i < kCount; ++i) channel.send(std::make_unique<int>(i));
      channel.close();
    });
    int expected = 0;
    bool other_ran = false;
    spawn([&] { other_ran = true; });
    for (auto& value : channel) {
      EXPECT_EQ(*value, expected++);
      sum += *value;
    }
    EXPECT_TRUE(other_ran);  // a wait suspends the coroutine, not the thread
  });
  producer.join();
  EXPECT_EQ(sum, long{kCount} * (kCount - 1) / 2);
}

// CH-20 R1
TEST(ThreadChannel, ManySendersAndReceiversLoseNothing) {
  constexpr int kThreads = 3, kEach = 500;
  std::atomic<long> received{0}, sum{0};
  std::vector<std::thread> threads;
  Runtime().run([&] {
    ThreadChannel<int> channel(2);
    std::atomic<int> producers{kThreads};
    for (int t = 0; t < kThreads; ++t) {
      threads.push_back(in_thread([&, channel] {
        for (int i = 0; i < kEach; ++i) channel.send(i);
        if (--producers == 0) channel.close();
      }));
      threads.push_back(in_thread([&, channel] {
        auto consume = [&] {
          for (int value : channel) {
            ++received;
            sum += value;
          }
        };
        auto other = spawn(consume);
        consume();
        await(other);
      }));
    }
    Trigger joined;
    std::thread joiner([&] {
      for (auto& thread : threads) thread.join();
      joined.fire();
    });
    joined.wait();
    joiner.join();
  });
  EXPECT_EQ(received, kThreads * kEach);
  EXPECT_EQ(sum, long{kThreads} * kEach * (kEach - 1) / 2);
}

// CH-18 CH-19
TEST(ThreadChannel, TimeoutAndTokenEndSendAndRecv) {
  Runtime().run([&] {
    ThreadChannel<int> channel(1);
    EXPECT_THROW(channel.recv(timeout(1ms)), OperationCancelled);
    EXPECT_THROW(channel.recv(timeout(0ms)), OperationCancelled);
    channel.send(1);
    try {
      channel.send(2, timeout(1ms));
      FAIL() << "the channel is full";
    } catch (const OperationCancelled& error) {
      EXPECT_THROW(std::rethrow_exception(error.cause()), TimeoutError);
    }
    EXPECT_THROW(channel.send(2, 1ms), TimeoutError);
    EXPECT_EQ(channel.recv(timeout(0ms)), 1);  // a value is buffered, so the token is not used
    EXPECT_EQ(channel.count(), 0u);
  });
}

// R1 CXL-05
TEST(ThreadChannel, ValueOfCancelledReceiverGoesToNextReceiver) {
  Runtime().run([&] {
    ThreadChannel<int> channel(1);
    int got = 0;
    auto cancelled = spawn([&] { channel.recv(); });
    auto next = spawn([&] { got = channel.recv(); });
    yield();
    channel.send(3);
    cancelled.cancel();
    await(next);
    EXPECT_EQ(got, 3);
  });
}

// R1 CH-03 CH-06 CH-10
TEST(ThreadChannel, WaitersAreFulfilledInFifoOrder) {
  Runtime().run([&] {
    ThreadChannel<int> channel(1);
    std::vector<int> got;
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 2; ++i) {
      tasks.push_back(spawn([&, i] { got.push_back(i * 10 + channel.recv()); }));
    }
    yield();
    channel.send(1);
    channel.send(2);
    EXPECT_FALSE(channel.try_recv());  // both values are granted to waiters
    for (auto& task : tasks) await(task);
    EXPECT_EQ(got, (std::vector<int>{1, 12}));

    channel.send(3);
    auto sender = spawn([&] { channel.send(4); });
    yield();
    EXPECT_EQ(channel.try_recv(), 3);
    EXPECT_FALSE(channel.try_send(5));  // the space is granted to the waiting sender
    await(sender);
    EXPECT_EQ(channel.recv(), 4);
  });
}

// R1 CH-01 CH-07
TEST(ThreadChannel, ValuesOfCancelledReceiversReturnInOrder) {
  Runtime().run([&] {
    ThreadChannel<int> channel(1);
    std::vector<Task<int>> receivers;
    for (int i = 0; i < 2; ++i) receivers.push_back(spawn([&] { return channel.recv(); }));
    yield();
    for (int i = 1; i <= 3; ++i) channel.send(i);
    bool sent = false;
    auto sender = spawn([&] {
      channel.send(4);
      sent = true;
      yield();
    });
    for (auto& receiver : receivers) receiver.cancel();
    for (auto& receiver : receivers) EXPECT_THROW(await(receiver), Cancelled);
    EXPECT_EQ(channel.count(), 3u);
    for (int i = 1; i <= 3; ++i) EXPECT_EQ(channel.try_recv(), i);
    sender.cancel();  // its value is buffered, so the send succeeds
    EXPECT_THROW(await(sender), Cancelled);
    EXPECT_TRUE(sent);
    channel.close();
    EXPECT_EQ(channel.next(), 4);
    EXPECT_FALSE(channel.next());
  });
}

// CH-22
TEST(ThreadChannel, RuntimeThatCreatedChannelClosesIt) {
  CloseReason reason = CloseReason::none;
  std::atomic<bool> is_waiting{false};
  std::thread worker;
  Runtime().run([&] {
    ThreadChannel<int> channel(1);
    worker = in_thread([&, channel] {
      spawn([&] { is_waiting = true; });
      reason = reason_of([&] { channel.recv(); });
    });
    while (!is_waiting) yield();
  });
  worker.join();
  EXPECT_EQ(reason, CloseReason::disposed);
}

// CH-21
TEST(ThreadChannel, RejectedValueIsNotMoved) {
  ThreadChannel<std::unique_ptr<int>> channel(1);  // without waiting, it needs no runtime
  EXPECT_TRUE(channel.try_send(std::make_unique<int>(1)));
  auto value = std::make_unique<int>(2);
  EXPECT_FALSE(channel.try_send(std::move(value)));
  EXPECT_TRUE(value);
  channel.close();
  EXPECT_EQ(reason_of([&] { channel.try_send(std::move(value)); }), CloseReason::closed);
  EXPECT_TRUE(value);
  EXPECT_EQ(*channel.try_recv().value(), 1);
  EXPECT_FALSE(channel.try_recv());
  EXPECT_THROW(ThreadChannel<int>(0), MisuseError);
}

}  // namespace
}  // namespace trueasync
