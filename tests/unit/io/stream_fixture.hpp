// IoTest: runs tests in a runtime with the epoll reactor and checks that no descriptors, registrations or coroutines
// leak. Helpers create connections with an Io on one end and a raw descriptor on the other.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <optional>
#include <string>
#include <vector>

#include "reactor/epoll/epoll_reactor.hpp"
#include "support/descriptor.hpp"
#include "support/open_descriptors.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync::test {

using namespace std::chrono_literals;

// Two connected sockets: the first is meant for an Io, the second is the peer.
inline std::array<UniqueFd, 2> make_tcp_pair() {
  UniqueFd listener(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(listener.get(), any, size), 0);
  EXPECT_EQ(::listen(listener.get(), 1), 0);
  EXPECT_EQ(::getsockname(listener.get(), any, &size), 0);
  UniqueFd client(::socket(AF_INET, SOCK_STREAM, 0));
  EXPECT_EQ(::connect(client.get(), any, size), 0);
  UniqueFd server(::accept(listener.get(), nullptr, nullptr));
  EXPECT_GE(server.get(), 0);
  return {std::move(client), std::move(server)};
}

// Closes the peer with RST instead of FIN.
inline void reset(UniqueFd& peer) {
  const linger now{1, 0};
  EXPECT_EQ(::setsockopt(peer.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now), 0);
  peer.close();
}

inline void shrink_buffers(int fd) {
  const int small = 4096;
  EXPECT_EQ(::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
  EXPECT_EQ(::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
}

// Returns the data that the kernel has received so far.
inline std::string take_pending(const UniqueFd& peer) {
  std::string text;
  char block[65536];
  for (ssize_t got; (got = ::recv(peer.get(), block, sizeof block, MSG_DONTWAIT)) > 0;) {
    text.append(block, static_cast<std::size_t>(got));
  }
  return text;
}

inline std::string read_text(Stream& stream, std::size_t max_size = 4096, WaitOptions options = {}) {
  std::string text(max_size, '\0');
  text.resize(stream.read_some(std::as_writable_bytes(std::span(text)), options));
  return text;
}

// The message of the exception that `function` throws; empty if it throws none. Cancelled propagates.
template <class E = std::exception, class F>
std::string thrown(F&& function) {
  try {
    function();
  } catch (const E& error) {
    return error.what();
  }
  return {};
}
template <class F>
int thrown_code(F&& function) {
  try {
    function();
  } catch (const IoError& error) {
    return error.code();
  }
  return 0;
}

// Lets ready coroutines run and the reactor poll until the state is stable.
inline void settle() {
  for (int i = 0; i < 3; ++i) delay(1ms);
}

class IoTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { Runtime warm; }  // libuv keeps some descriptors open for the process
  void SetUp() override { descriptors_ = count_open_descriptors(); }
  void TearDown() override { EXPECT_EQ(count_open_descriptors(), descriptors_) << "descriptors leaked"; }

  template <class F>
  void run(F&& function) {
    Runtime runtime;
    struct Check {
      Runtime& runtime;
      ~Check() {
        expect_no_leaks(runtime);
        EXPECT_TRUE(dynamic_cast<detail::EpollReactor&>(detail::Access::scheduler(runtime).reactor()).registrations() ==
                    0)
            << "registrations leaked";
      }
    } check{runtime};
    runtime.run(std::forward<F>(function));
  }

  static std::size_t registrations() {
    return dynamic_cast<detail::EpollReactor&>(detail::Scheduler::current()->reactor()).registrations();
  }

  // A TCP connection: one end as an Io, the peer as a raw descriptor.
  struct Connection {
    Io io;
    UniqueFd peer;
  };
  static Connection connection() {
    auto [local, peer] = make_tcp_pair();
    return {Io::adopt(local.release(), "tcp"), std::move(peer)};
  }

 private:
  std::size_t descriptors_ = 0;
};

}  // namespace trueasync::test
