// C code that does not take a failed wait for the end: it tries again, on descriptors that never wait, in a loop.
#include <dlfcn.h>

#include <csignal>
#include <cstdlib>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

class BlockingEnding : public Blocking {
 protected:
  void TearDown() override {
    blocking::set_host(nullptr);
    Blocking::TearDown();
  }
};

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, O_NONBLOCK); }

// It never waits, and takes no more.
void fill(int fd) {
  set_nonblocking(fd);
  const std::string much(1 << 20, 'x');
  while (::send(fd, much.data(), much.size(), 0) > 0) {
  }
}

// Runs `body` in a coroutine that waits in poll() for the socket and is cancelled there.
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

TEST_F(BlockingEnding, ATryOfADescriptorThatNeverWaitsFailsWithEcanceled) {
  // CXL-01
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    fill(sockets[0]);
    const TcpListener listener;
    set_nonblocking(listener.fd());
    char buffer[8];
    iovec piece{buffer, sizeof buffer};
    msghdr message = {};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    const int fd = sockets[0];
    after_cancelled_poll(fd, [&] {
      EXPECT_EQ(outcome(c_recv(fd, buffer, sizeof buffer, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_recv(fd, buffer, sizeof buffer, MSG_DONTWAIT)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_recvfrom(fd, buffer, sizeof buffer, 0, nullptr, nullptr)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_recvmsg(fd, &message, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_read(fd, buffer, sizeof buffer)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_readv(fd, &piece, 1)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_send(fd, buffer, sizeof buffer, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_send(fd, buffer, sizeof buffer, MSG_DONTWAIT)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_sendto(fd, buffer, sizeof buffer, 0, nullptr, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_sendmsg(fd, &message, 0)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_write(fd, buffer, sizeof buffer)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_writev(fd, &piece, 1)), "-1 ECANCELED");
      EXPECT_EQ(outcome(c_accept(listener.fd(), nullptr, nullptr)), "-1 ECANCELED");
      ::send(sockets[1], "x", 1, 0);
      EXPECT_EQ(outcome(c_recv(fd, buffer, sizeof buffer, 0)), "1");  // what is there is not kept back
    });
    EXPECT_EQ(outcome(c_recv(fd, buffer, sizeof buffer, 0)), "-1 EAGAIN");  // nobody else's affair
  });
}

TEST_F(BlockingEnding, ABlockingDescriptorThatIsTriedOnceStaysUsable) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    char buffer[8];
    after_cancelled_poll(
        sockets[0], [&] { EXPECT_EQ(outcome(c_recv(sockets[0], buffer, sizeof buffer, MSG_DONTWAIT)), "-1 EAGAIN"); });
  });
}

bool is_host_ending = false;
constexpr blocking::Host kEnding = {.is_interrupting = []() noexcept { return is_host_ending; }};

TEST_F(BlockingEnding, ALoopAroundRefusedWaitsLetsTheOthersRun) {
  blocking::set_host(&kEnding);
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    bool has_run = false;
    auto other = spawn([&] {
      yield();
      has_run = true;
    });
    is_host_ending = true;
    pollfd entry{sockets[0], POLLIN, 0};
    int tries = 0;
    for (; !has_run && tries < 100; ++tries) EXPECT_EQ(outcome(c_poll(&entry, 1, -1)), "-1 ECANCELED");
    is_host_ending = false;
    EXPECT_TRUE(has_run);
    EXPECT_GT(tries, 1);
    await(other);
  });
}

TEST_F(BlockingEnding, ARefusedPcloseStillEndsTheProcess) {
  // R2
  blocking::set_host(&kEnding);
  run([&] {
    FILE* stream = c_popen("echo $$", "r");
    char text[32] = {};
    EXPECT_GT(c_read(::fileno(stream), text, sizeof text - 1), 1);
    const pid_t process = std::atoi(text);
    is_host_ending = true;
    EXPECT_EQ(outcome(c_pclose(stream)), "-1 ECANCELED");
    is_host_ending = false;
    // Reaped by whoever took it over: then nobody has that number any more.
    for (int look = 0; look < 1000 && ::kill(process, 0) == 0; ++look) c_usleep(1000);
    EXPECT_EQ(outcome(::kill(process, 0)), "-1 ESRCH");
  });
}

// libpq takes a failed poll() for the end of a query and the connection for idle: the next query would get its answer.
TEST_F(BlockingEnding, ALibraryThatWouldGoOnAsIfIdleLosesItsConnection) {
  void* library = ::dlopen(TRUEASYNC_LIBPQ, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto poll_of_library = reinterpret_cast<decltype(&c_poll)>(::dlsym(library, "c_poll"));
  ASSERT_NE(poll_of_library, nullptr);
  blocking::enable({"libpq"});
  run([&] {
    for (const short events : {POLLIN, POLLIN | POLLOUT}) {
      const SocketPair sockets = SocketPair::tcp();
      fill(sockets[0]);
      auto query = spawn([&] {
        pollfd entry{sockets[0], events, 0};
        EXPECT_EQ(poll_of_library(&entry, 1, -1), 1);
        EXPECT_TRUE(entry.revents & POLLIN);
        char answer[8];
        EXPECT_EQ(c_recv(sockets[0], answer, sizeof answer, 0), 0);  // the connection's end
      });
      yield_until_suspended(query.coroutine());
      EXPECT_EQ(query.coroutine().state(), CoroutineState::suspended);
      query.cancel();
      await(query);
    }
    // One that is being connected is given up in any case.
    const SocketPair sockets = SocketPair::tcp();
    fill(sockets[0]);
    auto connecting = spawn([&] {
      pollfd entry{sockets[0], POLLOUT, 0};
      EXPECT_EQ(outcome(poll_of_library(&entry, 1, -1)), "-1 ECANCELED");
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
