// A libuv reactor, descriptors to watch, and the check that it closes with nothing left.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "reactor/uv/uv_reactor.hpp"
#include "told.hpp"

namespace trueasync::test {

using namespace std::chrono_literals;
using detail::kPollError;
using detail::kPollReadable;
using detail::kPollWritable;
using Values = std::vector<std::uintptr_t>;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  void write_byte() const { EXPECT_EQ(::write(fd_, "x", 1), 1); }
  void read_byte() const {
    char byte;
    EXPECT_EQ(::read(fd_, &byte, 1), 1);
  }
  // Until the kernel takes no more.
  void fill() const {
    ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
    static constexpr std::array<char, 4096> kBlock{};
    while (::write(fd_, kBlock.data(), kBlock.size()) > 0) {
    }
    while (::write(fd_, kBlock.data(), 1) > 0) {
    }
  }

 private:
  int fd_;
};

inline std::array<Descriptor, 2> make_socket_pair() {
  int fds[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

// Read end, write end.
inline std::array<Descriptor, 2> make_pipe() {
  int fds[2];
  EXPECT_EQ(::pipe(fds), 0);
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

class UvReactorTest : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(reactor_.liveness().visible + reactor_.liveness().hidden, 0u);
    EXPECT_EQ(reactor_.deadlines().size(), 0u);
    EXPECT_TRUE(reactor_.polls().empty());
    EXPECT_TRUE(reactor_.signals().empty());
    EXPECT_EQ(reactor_.close(), std::vector<std::string>{});
  }

  // Enough turns for everything that is ready now; nothing here blocks.
  void settle() {
    for (int i = 0; i < 3; ++i) reactor_.execute(true);
  }

  detail::UvReactor reactor_;
};

}  // namespace trueasync::test
