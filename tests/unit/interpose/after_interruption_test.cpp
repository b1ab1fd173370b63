// C code that ignores an interrupted call and retries.
#include <dlfcn.h>

#include <csignal>
#include <cstdlib>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

class BlockingAfterInterruption : public Blocking {
 protected:
  void TearDown() override {
    blocking::set_host(nullptr);
    Blocking::TearDown();
  }
};

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, O_NONBLOCK); }

// Makes the socket nonblocking and fills its send buffer.
void fill_send_buffer(int fd) {
  set_nonblocking(fd);
  const std::string data(1 << 20, 'x');
  while (::send(fd, data.data(), data.size(), 0) > 0) {
  }
}

// Runs `body` in a coroutine after its poll() of the socket was cancelled.
template <class F>
void after_cancelled_poll(int fd, F body) {
  auto task = spawn([&] {
    pollfd entry{fd, POLLIN, 0};
    EXPECT_EQ(outcome(c_poll(&entry, 1, -1)), "-1 ECANCELED");
    body();
  });
  yield_until_suspended(task.coroutine());
  task.cancel();
  await(task);
}

// CXL-01
TEST_F(BlockingAfterInterruption, NonblockingDescriptorFailsWithEcanceled) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    fill_send_buffer(sockets[0]);
    const TcpListener listener;
    set_nonblocking(listener.fd());
    char buffer[8];
    iovec iov{buffer, sizeof buffer};
    msghdr message = {};
    message.msg_iov = &iov;
    message.msg_iovlen = 1;
    const int fd = sockets[0];
    after_cancelled_poll(fd, [&] {
      EXPECT_EQ(outcome(c_recv(fd, buffer, sizeof buffer, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_recv(fd, buffer, sizeof buffer, MSG_DONTWAIT)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_recvfrom(fd, buffer, sizeof buffer, 0, nullptr, nullptr)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_recvmsg(fd, &message, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_read(fd, buffer, sizeof buffer)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_readv(fd, &iov, 1)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_send(fd, buffer, sizeof buffer, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_send(fd, buffer, sizeof buffer, MSG_DONTWAIT)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_sendto(fd, buffer, sizeof buffer, 0, nullptr, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_sendmsg(fd, &message, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_write(fd, buffer, sizeof buffer)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_writev(fd, &iov, 1)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_accept(listener.fd(), nullptr, nullptr)), "-1 ECANCELED");
      ::send(sockets[1], "x", 1, 0);
      EXPECT_EQ(outcome(c_recv(fd, buffer, sizeof buffer, 0)), "1");  // available data is still delivered
    });
    EXPECT_EQ(outcome(c_recv(fd, buffer, sizeof buffer, 0)), "-1 EAGAIN");  // other coroutines are not affected
  });
}

TEST_F(BlockingAfterInterruption, DontwaitOnBlockingDescriptorReturnsEagain) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    char buffer[8];
    after_cancelled_poll(
        sockets[0], [&] { EXPECT_EQ(outcome(c_recv(sockets[0], buffer, sizeof buffer, MSG_DONTWAIT)), "-1 EAGAIN"); });
  });
}

bool is_host_interrupting = false;
constexpr blocking::Host kInterruptingHost = {.is_interrupting = []() noexcept { return is_host_interrupting; }};

TEST_F(BlockingAfterInterruption, LoopOfRejectedWaitsYields) {
  blocking::set_host(&kInterruptingHost);
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    bool has_run = false;
    auto other = spawn([&] {
      yield();
      has_run = true;
    });
    is_host_interrupting = true;
    pollfd entry{sockets[0], POLLIN, 0};
    int attempts = 0;
    for (; !has_run && attempts < 100; ++attempts) EXPECT_EQ(outcome(c_poll(&entry, 1, -1)), "-1 ECANCELED");
    is_host_interrupting = false;
    EXPECT_TRUE(has_run);
    EXPECT_GT(attempts, 1);
    await(other);
  });
}

// R2
TEST_F(BlockingAfterInterruption, RejectedPcloseStillReapsChild) {
  blocking::set_host(&kInterruptingHost);
  run([&] {
    FILE* stream = c_popen("echo $$", "r");
    char text[32] = {};
    EXPECT_GT(c_read(::fileno(stream), text, sizeof text - 1), 1);
    const pid_t process = std::atoi(text);
    is_host_interrupting = true;
    EXPECT_EQ(outcome(c_pclose(stream)), "-1 ECANCELED");
    is_host_interrupting = false;
    // A helper thread reaps the child. Its process ID does not exist afterwards.
    for (int attempt = 0; attempt < 1000 && ::kill(process, 0) == 0; ++attempt) c_usleep(1000);
    EXPECT_EQ(outcome(::kill(process, 0)), "-1 ESRCH");
  });
}

// libpq treats a failed poll() as the end of the query and marks the connection idle. The next query would then read
// the answer of the interrupted query.
TEST_F(BlockingAfterInterruption, LibpqConnectionIsShutDown) {
  void* library = ::dlopen(TRUEASYNC_LIBPQ, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto libpq_poll = reinterpret_cast<decltype(&c_poll)>(::dlsym(library, "c_poll"));
  ASSERT_NE(libpq_poll, nullptr);
  blocking::enable({"libpq"});
  run([&] {
    for (const short events : {POLLIN, POLLIN | POLLOUT}) {
      const SocketPair sockets = SocketPair::tcp();
      fill_send_buffer(sockets[0]);
      auto query = spawn([&] {
        pollfd entry{sockets[0], events, 0};
        EXPECT_EQ(libpq_poll(&entry, 1, -1), 1);
        EXPECT_TRUE(entry.revents & POLLIN);
        char answer[8];
        EXPECT_EQ(c_recv(sockets[0], answer, sizeof answer, 0), 0);  // end of stream
      });
      yield_until_suspended(query.coroutine());
      EXPECT_EQ(query.coroutine().state(), CoroutineState::suspended);
      query.cancel();
      await(query);
    }
    // libpq abandons a connection that fails while connecting, so no shutdown is needed.
    const SocketPair sockets = SocketPair::tcp();
    fill_send_buffer(sockets[0]);
    auto connecting = spawn([&] {
      pollfd entry{sockets[0], POLLOUT, 0};
      EXPECT_EQ(outcome(libpq_poll(&entry, 1, -1)), "-1 ECANCELED");
    });
    yield_until_suspended(connecting.coroutine());
    connecting.cancel();
    await(connecting);
  });
  blocking::disable();
  ::dlclose(library);
}

}  // namespace
}  // namespace trueasync::test
