// What is known of a descriptor never outlives it: closed where it is seen or not, on this thread or another, while
// somebody waits or not. A wrong guess may cost a moment, never a hang.
#include <thread>

#include "fixture.hpp"
#include "interpose/descriptor_table.hpp"

namespace trueasync::test {
namespace {

using detail::interpose::DescriptorTable;

class BlockingDescriptor : public Blocking {
 protected:
  // Has the descriptor known and drained: the next wait trusts what is known.
  static void make_known(const SocketPair& sockets) {
    char buffer[64];
    auto reader = spawn([&] { return c_recv(sockets[0], buffer, sizeof buffer, 0); });
    yield_until_suspended(reader.coroutine());
    ::send(sockets[1], "first", 5, 0);
    ASSERT_EQ(await(reader), 5);
    ASSERT_TRUE(DescriptorTable::existing() && DescriptorTable::existing()->find(sockets[0]));
    ASSERT_TRUE(DescriptorTable::existing()->find(sockets[0])->is_drained());
  }

  // From now on the number means the first end of these, which have others; closed, if it was open, behind our back.
  static SocketPair take_number(int number, SocketPair fresh) {
    EXPECT_EQ(::dup2(fresh[0], number), number);
    ::close(fresh.release(0));
    return {number, fresh.release(1)};
  }

  static void expect_reads(const SocketPair& ends) {
    char buffer[64];
    auto reader = spawn([&] { return c_read(ends[0], buffer, sizeof buffer); });
    yield_until_suspended(reader.coroutine());
    ASSERT_EQ(::write(ends[1], "second", 6), 6);
    EXPECT_EQ(await(reader), 6);
    pollfd entry{ends[0], POLLIN, 0};
    auto poller = spawn([&] { return c_poll(&entry, 1, 60'000); });
    yield_until_suspended(poller.coroutine());
    ASSERT_EQ(::write(ends[1], "third", 5), 5);
    EXPECT_EQ(await(poller), 1);
    EXPECT_EQ(entry.revents, POLLIN);
    EXPECT_EQ(c_read(ends[0], buffer, sizeof buffer), 5);
  }
};

TEST_F(BlockingDescriptor, ClosedWhereItIsSeenIsForgotten) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    make_known(sockets);
    const int number = sockets[0];
    SocketPair fresh = SocketPair::tcp();
    sockets.close(0);
    EXPECT_EQ(DescriptorTable::existing()->find(number), nullptr);
    expect_reads(take_number(number, std::move(fresh)));
  });
}

TEST_F(BlockingDescriptor, ClosedBehindOurBackAndReusedIsNoHang) {
  for (const auto make : {+[] { return SocketPair::tcp(); }, +[] { return SocketPair::pipe(); },
                          +[] { return SocketPair::unix_sockets(); }}) {
    run([&] {
      SocketPair sockets = SocketPair::tcp();
      make_known(sockets);
      expect_reads(take_number(sockets.release(0), make()));
    });
  }
}

TEST_F(BlockingDescriptor, ReusedForAPipeAndBackAgain) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    make_known(sockets);
    SocketPair pipe = take_number(sockets.release(0), SocketPair::pipe());
    expect_reads(pipe);
    expect_reads(take_number(pipe.release(0), SocketPair::tcp()));
  });
}

TEST_F(BlockingDescriptor, AFileThatTookTheNumberIsReadAsAFile) {
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

TEST_F(BlockingDescriptor, ClosedByAnotherThreadWhoseCallIsSeen) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    make_known(sockets);
    const int number = sockets.release(0);
    SocketPair fresh = SocketPair::tcp();
    std::thread([&] { c_close(number); }).join();
    expect_reads(take_number(number, std::move(fresh)));
  });
}

TEST_F(BlockingDescriptor, ItsFileMayBeOpenElsewhereWhenItIsClosedBehindOurBack) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    make_known(sockets);
    const int number = sockets.release(0);
    const int copy = ::dup(number);  // keeps the old registration alive in the kernel
    const SocketPair fresh = take_number(number, SocketPair::tcp());
    expect_reads(fresh);
    ::send(sockets[1], "old", 3, 0);  // told of a descriptor that is known no more
    for (int i = 0; i < 5; ++i) delay(std::chrono::milliseconds(1));
    expect_reads(fresh);
    ::close(copy);
  });
}

TEST_F(BlockingDescriptor, HundredsClosedBehindOurBackAreForgottenInTheEnd) {
  run([&] {
    constexpr int kAtOnce = 100;
    for (int round = 0; round < 6; ++round) {
      std::vector<SocketPair> connections;
      std::vector<Task<ssize_t>> readers;
      for (int i = 0; i < kAtOnce; ++i) {
        connections.push_back(SocketPair::tcp());
        readers.push_back(spawn([fd = connections.back()[0]] {
          char byte;
          return c_recv(fd, &byte, 1, 0);
        }));
      }
      // By then they have found out that their numbers mean others than in the round before.
      delay(4 * detail::interpose::kRevalidateAfter);
      for (const SocketPair& each : connections) ::send(each[1], "x", 1, 0);
      for (auto& reader : readers) EXPECT_EQ(await(reader), 1);
      for (SocketPair& each : connections) ::close(each.release(0));
    }
    EXPECT_GT(DescriptorTable::existing()->stale_count(), 0u);
    EXPECT_LT(DescriptorTable::existing()->stale_count(), 300u);
  });
}

TEST_F(BlockingDescriptor, WhoeverWaitsIsToldOfTheClose) {
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

TEST_F(BlockingDescriptor, PollsOfManySurviveAReuseBehindOurBack) {
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    const SocketPair other = SocketPair::tcp();
    make_known(sockets);
    const int number = sockets.release(0);
    const SocketPair fresh = take_number(number, SocketPair::tcp());
    pollfd entries[2] = {{other[0], POLLIN, 0}, {number, POLLIN, 0}};
    auto poller = spawn([&] { return c_poll(entries, 2, 60'000); });
    yield_until_suspended(poller.coroutine());
    ::send(fresh[1], "x", 1, 0);
    EXPECT_EQ(await(poller), 1);
    EXPECT_EQ(entries[1].revents, POLLIN);
  });
}

TEST_F(BlockingDescriptor, DataThatAnotherWaiterWasToldOfIsSeen) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    const SocketPair other = SocketPair::tcp();
    make_known(sockets);
    pollfd both[2] = {{sockets[0], POLLIN, 0}, {other[0], POLLIN, 0}};
    auto first = spawn([&] { return c_poll(both, 2, -1); });
    yield_until_suspended(first.coroutine());
    // Read while the other waits: drained, and announced to the other alone when more comes.
    char buffer[8];
    EXPECT_EQ(outcome(c_recv(sockets[0], buffer, sizeof buffer, MSG_DONTWAIT)), "-1 EAGAIN");
    ::send(sockets[1], "x", 1, 0);
    EXPECT_EQ(await(first), 1);
    pollfd entry{sockets[0], POLLIN, 0};
    EXPECT_EQ(c_poll(&entry, 1, -1), 1);
    EXPECT_EQ(c_recv(sockets[0], buffer, sizeof buffer, 0), 1);
  });
}

TEST_F(BlockingDescriptor, TwoSchedulersWaitForOneListener) {
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
  std::thread one(serve);
  std::thread two(serve);
  while (waiting < 10) std::this_thread::yield();
  std::vector<int> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(tcp_socket());
    ASSERT_EQ(::connect(clients.back(), listener.address(), listener.size()), 0);
  }
  one.join();
  two.join();
  EXPECT_EQ(accepted, 10);
  for (const int fd : clients) ::close(fd);
}

TEST_F(BlockingDescriptor, ARuntimeThatBeginsAgainKnowsNothingStale) {
  Runtime runtime;
  for (int i = 0; i < 3; ++i) {
    runtime.run([&] {
      const SocketPair sockets = SocketPair::tcp();
      make_known(sockets);
      expect_reads(sockets);
    });
  }
  Runtime another;
  another.run([&] { make_known(SocketPair::tcp()); });
}

}  // namespace
}  // namespace trueasync::test
