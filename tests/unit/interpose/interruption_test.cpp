// Interrupts every replaced call by cancellation and by a deadline. The call fails with the matching errno, and the
// coroutine gets the exception at its next suspension point.
#include <arpa/nameser.h>
#include <sys/file.h>
#include <sys/un.h>

#include <functional>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

// A call that waits until it is interrupted.
struct WaitingCall {
  const char* name;
  // Returns whether the call failed; errno is set.
  bool (*call)();
};

bool is_failure(ssize_t result) { return result < 0; }

std::string fill(int fd) {
  std::string block(4096, 'x');
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  while (::write(fd, block.data(), block.size()) > 0) {
  }
  while (::write(fd, "x", 1) > 0) {
  }
  ::fcntl(fd, F_SETFL, 0);
  return block;
}

pid_t sleeping_child() {
  const pid_t process = ::fork();
  if (process == 0) {
    ::sleep(60);
    ::_exit(0);
  }
  return process;
}

void kill_child(pid_t process) {
  const int error = errno;
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  errno = error;
}

bool wait_for_child(bool any) {
  const pid_t process = sleeping_child();
  int status = 0;
  const bool failed = is_failure(c_waitpid(any ? -1 : process, &status, 0));
  kill_child(process);
  return failed;
}

bool lock_file(bool (*lock)(int fd)) {
  char name[] = "/tmp/trueasync-blocking-XXXXXX";
  const int first = ::mkstemp(name);
  const int second = ::open(name, O_RDWR | O_CLOEXEC);
  ::unlink(name);
  struct flock all = {};
  all.l_type = F_WRLCK;
  ::fcntl(first, F_OFD_SETLK, &all);
  ::flock(first, LOCK_EX);
  const bool failed = lock(second);
  const int error = errno;
  ::close(first);
  ::close(second);
  errno = error;
  return failed;
}

// The backlog of the unix listener is full.
bool connect_to_full_listener(std::chrono::milliseconds timeout = {}) {
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address.sun_family), 0);
  socklen_t size = sizeof address;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  ::listen(listener, 0);
  const int first = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(first, reinterpret_cast<sockaddr*>(&address), size), 0);
  const int second = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval time = {0, timeout.count() * 1000};
  ::setsockopt(second, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  const bool failed = is_failure(c_connect(second, reinterpret_cast<sockaddr*>(&address), size));
  const int error = errno;
  for (const int fd : {listener, first, second}) ::close(fd);
  errno = error;
  return failed;
}

// TCP drops connection requests beyond the backlog, so the connection stays in progress.
bool connect_to_unresponsive_listener() {
  const TcpListener listener(0);
  std::vector<int> others;
  for (int i = 0; i < 4; ++i) {
    others.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    ::connect(others.back(), listener.address(), listener.size());
  }
  const int fd = tcp_socket();
  const bool failed = is_failure(c_connect(fd, listener.address(), listener.size()));
  const int error = errno;
  for (const int other : others) ::close(other);
  c_close(fd);
  errno = error;
  return failed;
}

// A name server that never answers.
bool query_unresponsive_server() {
  const int unresponsive = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::bind(unresponsive, reinterpret_cast<sockaddr*>(&address), sizeof address);
  socklen_t size = sizeof address;
  ::getsockname(unresponsive, reinterpret_cast<sockaddr*>(&address), &size);
  struct __res_state state = {};
  ::res_ninit(&state);
  state.nscount = 1;
  state.nsaddr_list[0] = address;
  state.retrans = 1;
  state.retry = 1;
  unsigned char answer[512];
  const bool failed = is_failure(c_res_nsearch(&state, "example.invalid", ns_c_in, ns_t_a, answer, sizeof answer));
  const int error = errno;
  ::res_nclose(&state);
  ::close(unresponsive);
  errno = error;
  return failed;
}

template <class F>
bool with_sockets(F call) {
  const SocketPair sockets = SocketPair::tcp();
  const bool failed = is_failure(call(sockets[0]));
  return failed;
}

char buffer[64];
iovec iov{buffer, sizeof buffer};

const WaitingCall kWaitingCalls[] = {
    {"sleep", [] { return c_sleep(60) != 0; }},
    {"usleep", [] { return is_failure(c_usleep(60'000'000)); }},
    {"nanosleep",
     [] {
       const timespec length{60, 0};
       timespec rest = {};
       const bool failed = is_failure(c_nanosleep(&length, &rest));
       EXPECT_GT(rest.tv_sec, 30);
       return failed;
     }},
    {"clock_nanosleep",
     [] {
       const timespec length{60, 0};
       const int error = c_clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
       errno = error;
       return error != 0;
     }},
    {"poll_without_descriptors", [] { return is_failure(c_poll(nullptr, 0, -1)); }},
    {"poll",
     [] {
       return with_sockets([](int fd) {
         pollfd entry{fd, POLLIN, 0};
         return c_poll(&entry, 1, -1);
       });
     }},
    {"poll_several",
     [] {
       return with_sockets([](int fd) {
         pollfd entries[2] = {{fd, POLLIN, 0}, {fd, POLLPRI, 0}};
         return c_poll(entries, 2, 60'000);
       });
     }},
    {"ppoll",
     [] {
       return with_sockets([](int fd) {
         pollfd entry{fd, POLLIN, 0};
         return c_ppoll(&entry, 1, nullptr, nullptr);
       });
     }},
    {"select",
     [] {
       return with_sockets([](int fd) {
         fd_set in;
         FD_ZERO(&in);
         FD_SET(fd, &in);
         return c_select(fd + 1, &in, nullptr, nullptr, nullptr);
       });
     }},
    {"epoll_wait",
     [] {
       const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
       epoll_event event;
       const bool failed = is_failure(c_epoll_wait(epoll, &event, 1, -1));
       const int error = errno;
       ::close(epoll);
       errno = error;
       return failed;
     }},
    {"recv", [] { return with_sockets([](int fd) { return c_recv(fd, buffer, sizeof buffer, 0); }); }},
    {"recv_after_partial_data",
     [] {
       const SocketPair sockets = SocketPair::tcp();
       ::send(sockets[1], "abc", 3, 0);
       const ssize_t got = c_recv(sockets[0], buffer, sizeof buffer, MSG_WAITALL);
       EXPECT_EQ(got, 3);  // received data is not lost; the next call fails
       return is_failure(c_recv(sockets[0], buffer, sizeof buffer, 0));
     }},
    {"recvfrom",
     [] { return with_sockets([](int fd) { return c_recvfrom(fd, buffer, sizeof buffer, 0, nullptr, nullptr); }); }},
    {"recvmsg",
     [] {
       return with_sockets([](int fd) {
         msghdr message = {};
         message.msg_iov = &iov;
         message.msg_iovlen = 1;
         return c_recvmsg(fd, &message, 0);
       });
     }},
    {"read",
     [] {
       const SocketPair pipe = SocketPair::pipe();
       return is_failure(c_read(pipe[0], buffer, sizeof buffer));
     }},
    {"readv",
     [] {
       const SocketPair pipe = SocketPair::pipe();
       return is_failure(c_readv(pipe[0], &iov, 1));
     }},
    {"write",
     [] {
       const SocketPair pipe = SocketPair::pipe();
       const std::string more = fill(pipe[1]);
       return is_failure(c_write(pipe[1], more.data(), more.size()));
     }},
    {"writev",
     [] {
       const SocketPair pipe = SocketPair::pipe();
       fill(pipe[1]);
       return is_failure(c_writev(pipe[1], &iov, 1));
     }},
    {"send",
     [] {
       const SocketPair sockets = SocketPair::unix_sockets();
       fill(sockets[1]);
       return is_failure(c_send(sockets[1], buffer, sizeof buffer, 0));
     }},
    {"sendto_full_datagram_socket",
     [] {
       const SocketPair sockets = SocketPair::unix_sockets(SOCK_DGRAM);
       fill(sockets[1]);
       return is_failure(c_sendto(sockets[1], buffer, sizeof buffer, 0, nullptr, 0));
     }},
    {"accept",
     [] {
       const TcpListener listener;
       return is_failure(c_accept(listener.fd(), nullptr, nullptr));
     }},
    {"connect_full_unix_listener", [] { return connect_to_full_listener(); }},
    {"connect", &connect_to_unresponsive_listener},
    {"res_nsearch", &query_unresponsive_server},
    {"waitpid", [] { return wait_for_child(false); }},
    {"waitpid_any_child", [] { return wait_for_child(true); }},
    {"waitid",
     [] {
       const pid_t process = sleeping_child();
       siginfo_t info = {};
       const bool failed = is_failure(c_waitid(P_PID, static_cast<id_t>(process), &info, WEXITED));
       kill_child(process);
       return failed;
     }},
    {"pclose",
     [] {
       FILE* stream = ::popen("cat > /dev/null; sleep 0.3", "w");
       return is_failure(c_pclose(stream));
     }},
    {"system", [] { return is_failure(c_system("sleep 0.3")); }},
    {"flock", [] { return lock_file([](int fd) { return is_failure(c_flock(fd, LOCK_EX)); }); }},
    {"fcntl",
     [] {
       return lock_file([](int fd) {
         struct flock all = {};
         all.l_type = F_WRLCK;
         return is_failure(c_fcntl(fd, F_OFD_SETLKW, &all));
       });
     }},
    {"lockf", [] { return lock_file([](int fd) { return is_failure(c_lockf(fd, F_LOCK, 0)); }); }},
};

class BlockingInterruption : public ::testing::TestWithParam<WaitingCall> {
 protected:
  void SetUp() override { blocking::enable({"blocking_calls"}); }
  void TearDown() override { blocking::disable(); }

  // Runs the call in a coroutine of a scope, interrupts it by `interrupt`, and checks the result.
  template <class Exception, class F>
  void expect_interrupted(int error, F interrupt) {
    Runtime runtime;
    runtime.run([&] {
      Scope scope;
      bool has_failed = false;
      int code = 0;
      bool has_thrown = false;
      auto task = scope.spawn({.stack_size = 256 * 1024}, [&] {
        has_failed = GetParam().call();
        code = errno;
        try {
          yield();
        } catch (const Exception&) {
          has_thrown = true;
        }
      });
      yield_until_suspended(task.coroutine());
      EXPECT_EQ(task.coroutine().state(), CoroutineState::suspended);
      interrupt(scope, task.coroutine());
      try {
        await(task);
      } catch (const Cancelled&) {
      }
      EXPECT_TRUE(has_failed);
      EXPECT_STREQ(::strerrorname_np(code), ::strerrorname_np(error));
      EXPECT_TRUE(has_thrown);
    });
    expect_no_leaks(runtime);
  }
};

// CXL-01
TEST_P(BlockingInterruption, CancelledCallFailsWithEcanceled) {
  expect_interrupted<Cancelled>(ECANCELED, [](Scope&, const Coroutine& coroutine) { coroutine.cancel(); });
}

TEST_P(BlockingInterruption, ScopeDeadlineFailsWithEtimedout) {
  expect_interrupted<DeadlineError>(
      ETIMEDOUT, [](Scope& scope, const Coroutine&) { scope.set_timeout(std::chrono::milliseconds(1)); });
}

TEST_F(Blocking, SocketTimeoutEndsConnectToFullUnixListener) {
  const auto connect_with_timeout = [] {
    EXPECT_TRUE(connect_to_full_listener(std::chrono::milliseconds(20)));
    EXPECT_STREQ(::strerrorname_np(errno), "EAGAIN");
  };
  connect_with_timeout();
  run(connect_with_timeout);
}

INSTANTIATE_TEST_SUITE_P(Calls, BlockingInterruption, ::testing::ValuesIn(kWaitingCalls),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace trueasync::test
