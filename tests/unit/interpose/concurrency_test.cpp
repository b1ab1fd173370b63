// Waits inside replaced calls run concurrently. Each call waits for a coroutine of the same thread, so a call that
// blocked the thread would never return.
#include <pty.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "fixture.hpp"
#include "support/terminals.hpp"
#include "trueasync/testing.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class BlockingConcurrency : public Blocking {};

TEST_F(BlockingConcurrency, ThousandSleepsTakeAsLongAsOne) {
  testing::Simulation simulation;
  simulation.run([] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 1000; ++i) {
      tasks.push_back(spawn([i] {
        const timespec hour{3600, 0};
        EXPECT_EQ(i % 2 == 0 ? static_cast<int>(c_sleep(3600)) : c_nanosleep(&hour, nullptr), 0);
      }));
    }
    for (auto& task : tasks) await(task);
  });
  EXPECT_GE(simulation.now(), 3600s);
  EXPECT_LT(simulation.now(), 3601s);
}

TEST_F(BlockingConcurrency, EchoServerAndClientsShareOneThread) {
  run([&] {
    const TcpListener listener;
    constexpr int kClients = 50;
    auto server = spawn([&] {
      std::vector<Task<void>> connections;
      for (int i = 0; i < kClients; ++i) {
        const int fd = c_accept(listener.fd(), nullptr, nullptr);
        ASSERT_GE(fd, 0);
        connections.push_back(spawn([fd] {
          char buffer[64];
          for (;;) {
            pollfd entry{fd, POLLIN | POLLERR | POLLHUP, 0};
            ASSERT_EQ(c_poll(&entry, 1, 60'000), 1);
            const ssize_t got = c_recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
            ASSERT_GE(got, 0) << errno;
            if (got == 0) break;
            ASSERT_EQ(c_send(fd, buffer, static_cast<std::size_t>(got), 0), got);
          }
          c_close(fd);
        }));
      }
      for (auto& connection : connections) await(connection);
    });
    std::vector<Task<void>> clients;
    for (int i = 0; i < kClients; ++i) {
      clients.push_back(spawn([&, i] {
        const int fd = tcp_socket();
        ASSERT_EQ(c_connect(fd, listener.address(), listener.size()), 0);
        for (int k = 0; k < 20; ++k) {
          const std::string sent = std::to_string(i) + ":" + std::to_string(k);
          char buffer[64];
          ASSERT_EQ(c_write(fd, sent.data(), sent.size()), static_cast<ssize_t>(sent.size()));
          ASSERT_EQ(c_recv(fd, buffer, sent.size(), MSG_WAITALL), static_cast<ssize_t>(sent.size()));
          ASSERT_EQ(std::string(buffer, sent.size()), sent);
        }
        c_close(fd);
      }));
    }
    for (auto& client : clients) await(client);
    await(server);
  });
}

TEST_F(BlockingConcurrency, EachConcurrentAcceptGetsOneConnection) {
  run([&] {
    const TcpListener listener;
    std::vector<int> accepted;
    std::vector<Task<void>> acceptors;
    for (int i = 0; i < 10; ++i) {
      acceptors.push_back(spawn([&] { accepted.push_back(c_accept(listener.fd(), nullptr, nullptr)); }));
    }
    yield_until_suspended(acceptors.back().coroutine());
    std::vector<int> clients;
    for (int i = 0; i < 10; ++i) {
      clients.push_back(tcp_socket());
      ASSERT_EQ(::connect(clients.back(), listener.address(), listener.size()), 0);
      if (i == 4) yield();
    }
    for (auto& acceptor : acceptors) await(acceptor);
    EXPECT_EQ(accepted.size(), 10u);
    std::sort(accepted.begin(), accepted.end());
    EXPECT_EQ(std::unique(accepted.begin(), accepted.end()), accepted.end());
    EXPECT_GE(accepted.front(), 0);
    for (const int fd : accepted) c_close(fd);
    for (const int fd : clients) c_close(fd);
  });
}

// R1
TEST_F(BlockingConcurrency, CancelledAcceptLosesNoConnection) {
  run([&] {
    const TcpListener listener;
    auto first = spawn([&] { return c_accept(listener.fd(), nullptr, nullptr); });
    auto second = spawn([&] { return c_accept(listener.fd(), nullptr, nullptr); });
    yield_until_suspended(second.coroutine());
    const int client = tcp_socket();
    ASSERT_EQ(::connect(client, listener.address(), listener.size()), 0);
    first.cancel();
    const int accepted = await(second);
    EXPECT_GE(accepted, 0);
    try {
      EXPECT_EQ(await(first), -1);
    } catch (const Cancelled&) {
    }
    c_close(accepted);
    c_close(client);
  });
}

TEST_F(BlockingConcurrency, ConcurrentSmallPipeWritesStayAtomic) {
  run([&] {
    SocketPair pipe = SocketPair::pipe();
    constexpr int kWriters = 20;
    constexpr std::size_t kSize = 1000;
    std::vector<Task<void>> writers;
    for (int i = 0; i < kWriters; ++i) {
      writers.push_back(spawn([&, i] {
        const std::string line(kSize, static_cast<char>('a' + i));
        for (int k = 0; k < 20; ++k) ASSERT_EQ(c_write(pipe[1], line.data(), line.size()), ssize_t{kSize});
      }));
    }
    auto reader = spawn([&] {
      std::string received;
      char buffer[777];
      while (received.size() < kWriters * 20 * kSize) {
        const ssize_t got = c_read(pipe[0], buffer, sizeof buffer);
        ASSERT_GT(got, 0);
        received.append(buffer, static_cast<std::size_t>(got));
      }
      for (std::size_t offset = 0; offset < received.size(); offset += kSize) {
        ASSERT_EQ(received.substr(offset, kSize), std::string(kSize, received[offset]));
      }
    });
    for (auto& writer : writers) await(writer);
    await(reader);
  });
}

// Descriptors without stable identity.
TEST_F(BlockingConcurrency, TerminalsEventfdsAndNamedPipesSuspend) {
  TRUEASYNC_SKIP_WITHOUT_TERMINALS();
  run([&] {
    int master = -1;
    int terminal = -1;
    ASSERT_EQ(::openpty(&master, &terminal, nullptr, nullptr, nullptr), 0);
    const std::string path = ::testing::TempDir() + "trueasync-fifo-" + std::to_string(::getpid());
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const int fifo = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    ::unlink(path.c_str());
    const int counter = ::eventfd(0, EFD_CLOEXEC);
    const struct {
      int in;
      int out;
      const char* data;
      std::size_t size;
    } cases[] = {{terminal, master, "line\n", 5}, {fifo, fifo, "word", 4}, {counter, counter, "\1\0\0\0\0\0\0\0", 8}};
    for (const auto& test_case : cases) {
      for (int round = 0; round < 2; ++round) {
        char buffer[16];
        auto reader = spawn([&] { return c_read(test_case.in, buffer, sizeof buffer); });
        yield_until_suspended(reader.coroutine());
        EXPECT_EQ(reader.coroutine().state(), CoroutineState::suspended);
        EXPECT_EQ(c_write(test_case.out, test_case.data, test_case.size), static_cast<ssize_t>(test_case.size));
        EXPECT_EQ(await(reader), static_cast<ssize_t>(test_case.size));
      }
    }
    for (const int fd : {master, terminal, fifo, counter}) c_close(fd);
  });
}

TEST_F(BlockingConcurrency, LookupsAndChildWaitsRunConcurrently) {
  run([&] {
    std::vector<Task<void>> tasks;
    const SocketPair pipe = SocketPair::pipe();
    int started = 0;
    for (int i = 0; i < 8; ++i) {
      tasks.push_back(spawn([&, i] {
        ++started;
        // The command exits after reading a line, which is written when all coroutines are suspended.
        const std::string path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(pipe[0]);
        const std::string command = "read line < " + path + "; exit " + std::to_string(i);
        EXPECT_EQ(WEXITSTATUS(c_system(command.c_str())), i);
      }));
    }
    yield_until_suspended(tasks.back().coroutine());
    EXPECT_EQ(started, 8);
    ASSERT_EQ(::write(pipe[1], "1\n2\n3\n4\n5\n6\n7\n8\n", 16), 16);
    for (auto& task : tasks) await(task);
    std::vector<Task<void>> lookups;
    for (int i = 0; i < 40; ++i) {
      lookups.push_back(spawn([] {
        addrinfo* found = nullptr;
        EXPECT_EQ(c_getaddrinfo("localhost", "80", nullptr, &found), 0);
        ::freeaddrinfo(found);
      }));
    }
    for (auto& lookup : lookups) await(lookup);
  });
}

TEST_F(BlockingConcurrency, LoopOfNonblockingCallsYields) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    auto busy = spawn([&] {
      pollfd entry{sockets[0], POLLIN, 0};
      while (c_poll(&entry, 1, 0) == 0) {
      }
      char buffer[4];
      return c_recv(sockets[0], buffer, sizeof buffer, 0);
    });
    auto other = spawn([&] { return c_send(sockets[1], "x", 1, 0); });
    EXPECT_EQ(await(busy), 1);
    EXPECT_EQ(await(other), 1);
  });
}

TEST_F(BlockingConcurrency, FlockWaitsForHolderInAnotherCoroutine) {
  run([&] {
    char name[] = "/tmp/trueasync-blocking-XXXXXX";
    const int first = ::mkstemp(name);
    const int second = ::open(name, O_RDWR | O_CLOEXEC);
    ::unlink(name);
    ASSERT_EQ(c_flock(first, LOCK_EX), 0);
    auto waiter = spawn([&] { return c_flock(second, LOCK_EX); });
    yield_until_suspended(waiter.coroutine());
    EXPECT_FALSE(waiter.coroutine().is_finished());
    ASSERT_EQ(c_flock(first, LOCK_UN), 0);
    EXPECT_EQ(await(waiter), 0);
    ::close(first);
    ::close(second);
  });
}

TEST_F(BlockingConcurrency, ErrnoIsUnchangedAfterSuccessfulWait) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    auto reader = spawn([&] {
      char buffer[4];
      errno = EXDEV;
      const ssize_t got = c_recv(sockets[0], buffer, sizeof buffer, 0);
      return got == 1 ? errno : 0;
    });
    yield_until_suspended(reader.coroutine());
    errno = ENOENT;
    c_send(sockets[1], "x", 1, 0);
    EXPECT_EQ(await(reader), EXDEV);
  });
}

}  // namespace
}  // namespace trueasync::test
