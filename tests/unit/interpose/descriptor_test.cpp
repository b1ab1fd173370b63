// The tracked state of a descriptor after a close: by a replaced call or not, on this thread or another, with or
// without waiters. Stale state may delay a wait but must not hang it.
#include <thread>

#include "fixture.hpp"
#include "interpose/descriptor_table.hpp"

namespace trueasync::test {
namespace {

using detail::interpose::DescriptorTable;

class BlockingDescriptor : public Blocking {
 protected:
  // Makes the descriptor tracked and drained, so that the next wait relies on the tracked state.
  static void make_tracked(const SocketPair& sockets) {
    char buffer[64];
    auto reader = spawn([&] { return c_recv(sockets[0], buffer, sizeof buffer, 0); });
    yield_until_suspended(reader.coroutine());
    ::send(sockets[1], "first", 5, 0);
    ASSERT_EQ(await(reader), 5);
    ASSERT_TRUE(DescriptorTable::existing() && DescriptorTable::existing()->find(sockets[0]));
    ASSERT_TRUE(DescriptorTable::existing()->find(sockets[0])->is_drained());
  }

  // Makes `number` refer to the first descriptor of the pair. If it was open, it is closed without notification.
  static SocketPair reuse_number(int number, SocketPair pair) {
    EXPECT_EQ(::dup2(pair[0], number), number);
    ::close(pair.release(0));
    return {number, pair.release(1)};
  }

  static void expect_reads(const SocketPair& pair) {
    char buffer[64];
    auto reader = spawn([&] { return c_read(pair[0], buffer, sizeof buffer); });
    yield_until_suspended(reader.coroutine());
    ASSERT_EQ(::write(pair[1], "second", 6), 6);
    EXPECT_EQ(await(reader), 6);
    pollfd entry{pair[0], POLLIN, 0};
    auto poller = spawn([&] { return c_poll(&entry, 1, 60'000); });
    yield_until_suspended(poller.coroutine());
    ASSERT_EQ(::write(pair[1], "third", 5), 5);
    EXPECT_EQ(await(poller), 1);
    EXPECT_EQ(entry.revents, POLLIN);
    EXPECT_EQ(c_read(pair[0], buffer, sizeof buffer), 5);
  }
};

TEST_F(BlockingDescriptor, ReplacedCloseRemovesTrackedState) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    make_tracked(sockets);
    const int number = sockets[0];
    SocketPair replacement = SocketPair::tcp();
    sockets.close(0);
    EXPECT_EQ(DescriptorTable::existing()->find(number), nullptr);
    expect_reads(reuse_number(number, std::move(replacement)));
  });
}

TEST_F(BlockingDescriptor, ReuseAfterUnnoticedCloseDoesNotHang) {
  for (const auto make : {+[] { return SocketPair::tcp(); }, +[] { return SocketPair::pipe(); },
                          +[] { return SocketPair::unix_sockets(); }}) {
    run([&] {
      SocketPair sockets = SocketPair::tcp();
      make_tracked(sockets);
      expect_reads(reuse_number(sockets.release(0), make()));
    });
  }
}

TEST_F(BlockingDescriptor, NumberReusedForPipeAndSocketAgain) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    make_tracked(sockets);
    SocketPair pipe = reuse_number(sockets.release(0), SocketPair::pipe());
    expect_reads(pipe);
    expect_reads(reuse_number(pipe.release(0), SocketPair::tcp()));
  });
}

TEST_F(BlockingDescriptor, NumberReusedForFileIsReadAsFile) {
  run([&] {
    SocketPair pipe = SocketPair::pipe();
    char buffer[64];
    auto reader = spawn([&] { return c_read(pipe[0], buffer, sizeof buffer); });
    yield_until_suspended(reader.coroutine());
    ASSERT_EQ(::write(pipe[1], "x", 1), 1);
    await(reader);
    const int number = pipe.release(0);
    const int file = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::dup2(file, number), number);
    EXPECT_EQ(c_read(number, buffer, sizeof buffer), 64);
    ::close(file);
    ::close(number);
  });
}

TEST_F(BlockingDescriptor, ReplacedCloseOnAnotherThreadIsDetected) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    make_tracked(sockets);
    const int number = sockets.release(0);
    SocketPair replacement = SocketPair::tcp();
    std::thread([&] { c_close(number); }).join();
    expect_reads(reuse_number(number, std::move(replacement)));
  });
}

TEST_F(BlockingDescriptor, UnnoticedCloseWithDuplicateOpenElsewhere) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    make_tracked(sockets);
    const int number = sockets.release(0);
    const int copy = ::dup(number);  // keeps the old registration in epoll
    const SocketPair replacement = reuse_number(number, SocketPair::tcp());
    expect_reads(replacement);
    ::send(sockets[1], "old", 3, 0);  // epoll reports the stale registration
    for (int i = 0; i < 5; ++i) delay(std::chrono::milliseconds(1));
    expect_reads(replacement);
    ::close(copy);
  });
}

TEST_F(BlockingDescriptor, StaleRegistrationsAreSwept) {
  run([&] {
    constexpr int kConnections = 100;
    for (int round = 0; round < 6; ++round) {
      std::vector<SocketPair> connections;
      std::vector<Task<ssize_t>> readers;
      for (int i = 0; i < kConnections; ++i) {
        connections.push_back(SocketPair::tcp());
        readers.push_back(spawn([fd = connections.back()[0]] {
          char byte;
          return c_recv(fd, &byte, 1, 0);
        }));
      }
      // Long enough for the waits to revalidate: their numbers refer to new files since the previous round.
      delay(4 * detail::interpose::kRevalidateAfter);
      for (const SocketPair& connection : connections) ::send(connection[1], "x", 1, 0);
      for (auto& reader : readers) EXPECT_EQ(await(reader), 1);
      for (SocketPair& connection : connections) ::close(connection.release(0));
    }
    EXPECT_GT(DescriptorTable::existing()->stale_count(), 0u);
    EXPECT_LT(DescriptorTable::existing()->stale_count(), 300u);
  });
}

TEST_F(BlockingDescriptor, CloseWakesWaiters) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    char buffer[8];
    auto reader = spawn([&] { return outcome(c_recv(sockets[0], buffer, sizeof buffer, 0)); });
    yield_until_suspended(reader.coroutine());
    pollfd entry{sockets[0], POLLIN, 0};
    auto poller = spawn([&] { return c_poll(&entry, 1, -1); });
    yield_until_suspended(poller.coroutine());
    sockets.close(0);
    EXPECT_EQ(await(reader), "-1 EBADF");
    EXPECT_EQ(await(poller), 1);
    EXPECT_EQ(entry.revents, POLLNVAL);
  });
}

TEST_F(BlockingDescriptor, PollOfSeveralDetectsUnnoticedReuse) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    const SocketPair other = SocketPair::tcp();
    make_tracked(sockets);
    const int number = sockets.release(0);
    const SocketPair replacement = reuse_number(number, SocketPair::tcp());
    pollfd entries[2] = {{other[0], POLLIN, 0}, {number, POLLIN, 0}};
    auto poller = spawn([&] { return c_poll(entries, 2, 60'000); });
    yield_until_suspended(poller.coroutine());
    ::send(replacement[1], "x", 1, 0);
    EXPECT_EQ(await(poller), 1);
    EXPECT_EQ(entries[1].revents, POLLIN);
  });
}

TEST_F(BlockingDescriptor, EdgeConsumedByAnotherWaiterIsNotLost) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    const SocketPair other = SocketPair::tcp();
    make_tracked(sockets);
    pollfd both[2] = {{sockets[0], POLLIN, 0}, {other[0], POLLIN, 0}};
    auto first = spawn([&] { return c_poll(both, 2, -1); });
    yield_until_suspended(first.coroutine());
    // This read marks the socket drained. The edge of the next data wakes only the other waiter.
    char buffer[8];
    EXPECT_EQ(outcome(c_recv(sockets[0], buffer, sizeof buffer, MSG_DONTWAIT)), "-1 EAGAIN");
    ::send(sockets[1], "x", 1, 0);
    EXPECT_EQ(await(first), 1);
    pollfd entry{sockets[0], POLLIN, 0};
    EXPECT_EQ(c_poll(&entry, 1, -1), 1);
    EXPECT_EQ(c_recv(sockets[0], buffer, sizeof buffer, 0), 1);
  });
}

TEST_F(BlockingDescriptor, TwoSchedulersAcceptFromOneListener) {
  const TcpListener listener;
  std::atomic<int> waiting = 0;
  std::atomic<int> accepted = 0;
  const auto serve = [&] {
    Runtime runtime;
    runtime.run([&] {
      std::vector<Task<void>> tasks;
      for (int i = 0; i < 5; ++i) {
        tasks.push_back(spawn([&] {
          ++waiting;
          const int fd = c_accept(listener.fd(), nullptr, nullptr);
          EXPECT_GE(fd, 0) << errno;
          ++accepted;
          c_close(fd);
        }));
      }
      for (auto& task : tasks) await(task);
    });
  };
  std::thread first(serve);
  std::thread second(serve);
  while (waiting < 10) std::this_thread::yield();
  std::vector<int> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(tcp_socket());
    ASSERT_EQ(::connect(clients.back(), listener.address(), listener.size()), 0);
  }
  first.join();
  second.join();
  EXPECT_EQ(accepted, 10);
  for (const int fd : clients) ::close(fd);
}

TEST_F(BlockingDescriptor, RestartedRuntimeHasNoStaleState) {
  Runtime runtime;
  for (int i = 0; i < 3; ++i) {
    runtime.run([&] {
      const SocketPair sockets = SocketPair::tcp();
      make_tracked(sockets);
      expect_reads(sockets);
    });
  }
  Runtime another;
  another.run([&] { make_tracked(SocketPair::tcp()); });
}

}  // namespace
}  // namespace trueasync::test
