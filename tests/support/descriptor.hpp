// Owned descriptors, socket pairs and pipes for tests.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace trueasync::test {

class UniqueFd {
 public:
  explicit UniqueFd(int fd = -1) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() { close(); }

  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  void write_byte() const { EXPECT_EQ(::write(fd_, "x", 1), 1); }
  void read_byte() const {
    char byte;
    EXPECT_EQ(::read(fd_, &byte, 1), 1);
  }
  // Writes until the kernel buffer is full; returns the number of bytes written.
  std::size_t fill() const {
    ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
    static constexpr std::array<char, 4096> kBlock{};
    std::size_t total = 0;
    for (std::size_t size : {kBlock.size(), std::size_t{1}}) {
      for (ssize_t taken; (taken = ::write(fd_, kBlock.data(), size)) > 0;) total += static_cast<std::size_t>(taken);
    }
    return total;
  }

 private:
  int fd_;
};

inline std::array<UniqueFd, 2> make_socket_pair(int type = SOCK_STREAM) {
  int fds[2];
  EXPECT_EQ(::socketpair(AF_UNIX, type, 0, fds), 0);
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

// Read end, write end.
inline std::array<UniqueFd, 2> make_pipe() {
  int fds[2];
  EXPECT_EQ(::pipe(fds), 0);
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

}  // namespace trueasync::test
