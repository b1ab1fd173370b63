// connect and accept.
#include <sys/un.h>

#include <cstring>

#include "parity.hpp"

namespace trueasync::test {
namespace {

void connections(Log& log) {
  TcpListener listener;
  const auto connect = [&](int fd, const sockaddr* address, socklen_t size) {
    log.push_back(outcome(c_connect(fd, address, size)));
  };
  const int fd = tcp_socket();
  connect(fd, listener.address(), listener.size());
  log.push_back((::fcntl(fd, F_GETFL) & O_NONBLOCK) ? "changed" : "as it was");
  connect(fd, listener.address(), listener.size());
  sockaddr_in peer = {};
  socklen_t size = sizeof peer;
  const int accepted = c_accept4(listener.fd(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC);
  log.push_back(accepted >= 0 && size == sizeof peer && peer.sin_family == AF_INET ? "accepted" : "not accepted");
  log.push_back((::fcntl(listener.fd(), F_GETFL) & O_NONBLOCK) ? "changed" : "as it was");
  ::close(accepted);
  ::close(fd);
  listener.close();
  const int refused = tcp_socket();
  connect(refused, listener.address(), listener.size());
  connect(refused, listener.address(), listener.size());
  ::close(refused);
  const int local = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un nowhere = {};
  nowhere.sun_family = AF_UNIX;
  std::strcpy(nowhere.sun_path, "/nowhere/at/all");
  connect(local, reinterpret_cast<const sockaddr*>(&nowhere), sizeof nowhere);
  connect(local, listener.address(), listener.size());
  ::close(local);
}

INSTANTIATE_TEST_SUITE_P(Connections, BlockingParity, ::testing::Values(Scenario{"Connections", connections}),
                         scenario_name);

}  // namespace
}  // namespace trueasync::test
