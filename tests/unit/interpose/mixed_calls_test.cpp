// Stress test: pairs of coroutines exchange messages by randomly chosen calls, with and without random cancellation. No
// call may hang, lose data or leak.
#include <sys/resource.h>

#include <algorithm>
#include <random>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

constexpr int kPairs = 500;
constexpr int kMessages = 50;  // each way

using Random = std::minstd_rand;

// Returns false if the connection was closed or the call interrupted.
bool send_all(int fd, const char* data, std::size_t size, Random& random) {
  switch (random() % 4) {
    case 0:
      return c_send(fd, data, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
    case 1:
      return c_write(fd, data, size) == static_cast<ssize_t>(size);
    case 2: {
      const iovec iovecs[2] = {{const_cast<char*>(data), size / 2},
                               {const_cast<char*>(data) + size / 2, size - size / 2}};
      return c_writev(fd, iovecs, 2) == static_cast<ssize_t>(size);
    }
    default: {
      iovec iov{const_cast<char*>(data), size};
      msghdr message = {};
      message.msg_iov = &iov;
      message.msg_iovlen = 1;
      return c_sendmsg(fd, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
    }
  }
}

bool wait_for_input(int fd, Random& random) {
  pollfd entries[2] = {{fd, POLLIN, 0}, {-1, POLLIN, 0}};
  switch (random() % 3) {
    case 0:
      return c_poll(entries, 1, 60'000) == 1;
    case 1:
      return c_poll(entries, 2, -1) == 1;
    default: {
      const timespec timeout{60, 0};
      return c_ppoll(entries, 1, &timeout, nullptr) == 1;
    }
  }
}

bool receive_all(int fd, char* data, std::size_t size, Random& random) {
  if (random() % 3 == 0) return c_recv(fd, data, size, MSG_WAITALL) == static_cast<ssize_t>(size);
  for (std::size_t done = 0; done < size;) {
    if (random() % 2 == 0 && !wait_for_input(fd, random)) return false;
    const ssize_t got =
        random() % 2 == 0 ? c_read(fd, data + done, size - done) : c_recv(fd, data + done, size - done, 0);
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

// Sends messages and checks their echo, or echoes messages. Returns the number of complete exchanges.
int exchange_messages(int fd, bool is_sender, Random random) {
  char out[4096];
  char in[4096];
  int exchanged = 0;
  for (int i = 0; i < kMessages; ++i) {
    const std::uint32_t size = static_cast<std::uint32_t>(1 + random() % 3000);
    if (random() % 16 == 0 && c_usleep(random() % 1000) != 0) break;
    if (is_sender) {
      std::fill_n(out, size, static_cast<char>('a' + i % 26));
      if (!send_all(fd, reinterpret_cast<const char*>(&size), sizeof size, random)) break;
      if (!send_all(fd, out, size, random) || !receive_all(fd, in, size, random)) break;
      EXPECT_TRUE(std::equal(in, in + size, out));
    } else {
      std::uint32_t expected = 0;
      if (!receive_all(fd, reinterpret_cast<char*>(&expected), sizeof expected, random)) break;
      if (!receive_all(fd, in, expected, random) || !send_all(fd, in, expected, random)) break;
    }
    ++exchanged;
  }
  c_close(fd);
  return exchanged;
}

class BlockingMixedCalls : public Blocking {
 protected:
  void SetUp() override {
    Blocking::SetUp();
    rlimit limit = {};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8192);
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::signal(SIGPIPE, SIG_IGN);
  }
};

TEST_F(BlockingMixedCalls, ThousandCoroutinesExchangeMessages) {
  run([&] {
    std::vector<Task<int>> tasks;
    for (int i = 0; i < kPairs; ++i) {
      SocketPair pair = i % 4 == 0 ? SocketPair::tcp() : SocketPair::unix_sockets();
      for (const int which : {0, 1}) {
        const int fd = pair.release(which);
        tasks.push_back(
            spawn([fd, which, i] { return exchange_messages(fd, which == 0, Random(static_cast<unsigned>(i + 1))); }));
      }
    }
    for (auto& task : tasks) EXPECT_EQ(await(task), kMessages);
  });
}

// R2
TEST_F(BlockingMixedCalls, RandomCancellationLeaksNothing) {
  run([&] {
    Random random(7);
    std::vector<Task<int>> tasks;
    for (int i = 0; i < kPairs / 4; ++i) {
      SocketPair pair = i % 2 == 0 ? SocketPair::tcp() : SocketPair::unix_sockets();
      for (const int which : {0, 1}) {
        const int fd = pair.release(which);
        tasks.push_back(
            spawn([fd, which, i] { return exchange_messages(fd, which == 0, Random(static_cast<unsigned>(i + 1))); }));
      }
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      yield();
      tasks[random() % tasks.size()].cancel();
    }
    for (auto& task : tasks) {
      try {
        EXPECT_LE(await(task), kMessages);
      } catch (const Cancelled&) {
      }
    }
  });
}

}  // namespace
}  // namespace trueasync::test
