// Fixture and helpers for tests of replaced calls. The fixture patches the test library blocking_calls only; calls of
// the test program itself are the originals.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "support/blocking_calls.h"
#include "support/reactor_test.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {

class Blocking : public ::testing::Test {
 protected:
  void SetUp() override { blocking::enable({"blocking_calls"}); }
  void TearDown() override { blocking::disable(); }

  template <class F>
  void run(F&& function, RuntimeOptions options = {}) {
    Runtime runtime(std::move(options));
    runtime.run(std::forward<F>(function));
    expect_no_leaks(runtime);
  }
};

// A pair of connected descriptors, closed by replaced calls.
class SocketPair {
 public:
  SocketPair(int first, int second) noexcept : fds_{first, second} {}
  SocketPair(SocketPair&& other) noexcept : fds_{std::exchange(other.fds_[0], -1), std::exchange(other.fds_[1], -1)} {}
  ~SocketPair() {
    close(0);
    close(1);
  }
  int operator[](int which) const noexcept { return fds_[which]; }
  void close(int which) noexcept {
    if (fds_[which] >= 0) c_close(std::exchange(fds_[which], -1));
  }
  int release(int which) noexcept { return std::exchange(fds_[which], -1); }

  static SocketPair pipe() {
    int fds[2] = {-1, -1};
    EXPECT_EQ(::pipe2(fds, O_CLOEXEC), 0);
    return {fds[0], fds[1]};
  }
  static SocketPair unix_sockets(int type = SOCK_STREAM) {
    int fds[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, fds), 0);
    return {fds[0], fds[1]};
  }
  // The first descriptor is the accepted one.
  static SocketPair tcp();

 private:
  int fds_[2];
};

class TcpListener {
 public:
  explicit TcpListener(int backlog = 64) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(fd_, address(), sizeof address_), 0);
    socklen_t size = sizeof address_;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address_), &size);
    EXPECT_EQ(::listen(fd_, backlog), 0);
  }
  TcpListener(const TcpListener&) = delete;
  ~TcpListener() { close(); }
  int fd() const noexcept { return fd_; }
  const sockaddr* address() const noexcept { return reinterpret_cast<const sockaddr*>(&address_); }
  socklen_t size() const noexcept { return sizeof address_; }
  void close() noexcept {
    if (fd_ >= 0) c_close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
  sockaddr_in address_ = {};
};

inline int tcp_socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }

inline SocketPair SocketPair::tcp() {
  TcpListener listener;
  const int client = tcp_socket();
  EXPECT_EQ(::connect(client, listener.address(), listener.size()), 0);
  const int accepted = ::accept(listener.fd(), nullptr, nullptr);
  const int on = 1;
  for (const int fd : {client, accepted}) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return {accepted, client};
}

// Yields until the coroutine is suspended or finished.
inline void yield_until_suspended(const Coroutine& coroutine) {
  do yield();
  while (coroutine.state() != CoroutineState::suspended && !coroutine.is_finished());
}

// Formats the result of a call, with the name of errno on failure.
template <class T>
std::string outcome(T result, bool is_failure) {
  return std::to_string(static_cast<long long>(result)) +
         (is_failure ? std::string(" ") + ::strerrorname_np(errno) : "");
}
template <class T>
std::string outcome(T result) {
  return outcome(result, result < 0);
}

}  // namespace trueasync::test
