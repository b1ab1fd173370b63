#include "io/socket.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <limits>

namespace trueasync {

namespace detail {

namespace {

int to_option_value(std::chrono::seconds time) noexcept {
  return static_cast<int>(std::clamp<std::chrono::seconds::rep>(time.count(), 0, std::numeric_limits<int>::max()));
}

using NameCall = int (*)(int, sockaddr*, socklen_t*);

Address query_address(int fd, NameCall call, const std::string& operation) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (call(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) throw IoError(operation, errno);
  return Address::from(reinterpret_cast<const sockaddr*>(&storage), size);
}

}  // namespace

UniqueFd open_socket(const Address& address, int type, const std::string& operation) {
  if (address.empty()) throw MisuseError(operation + ": the address is empty");
  UniqueFd opened(::socket(address.data()->sa_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (opened.get() < 0) throw IoError(operation, errno);
  return opened;
}

void set_option(int fd, int level, int option, int value, const std::string& operation) {
  if (::setsockopt(fd, level, option, &value, sizeof value) != 0) throw IoError(operation, errno);
}

void apply_options(const SocketOptions& options, int fd, AddressFamily family, const std::string& operation) {
  if (options.send_buffer) set_option(fd, SOL_SOCKET, SO_SNDBUF, *options.send_buffer, operation);
  if (options.receive_buffer) set_option(fd, SOL_SOCKET, SO_RCVBUF, *options.receive_buffer, operation);
  if (options.linger) {
    if (*options.linger != std::chrono::seconds::zero()) {
      throw MisuseError(operation + ": SocketOptions::linger must be 0, other values block the event loop in close()");
    }
    const linger reset{1, 0};
    if (::setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset) != 0) throw IoError(operation, errno);
  }
  if (family == AddressFamily::unix_domain) return;
  set_option(fd, IPPROTO_TCP, TCP_NODELAY, options.no_delay, operation);
  if (!options.keep_alive) return;
  set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1, operation);
  set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, to_option_value(options.keep_alive->idle), operation);
  set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, to_option_value(options.keep_alive->interval), operation);
  set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, options.keep_alive->probes, operation);
}

void bind_socket(int fd, const Address& address, const std::string& operation) {
  if (::bind(fd, address.data(), address.size()) != 0) throw IoError(operation, errno);
}

Address bound_address(int fd, const std::string& operation) { return query_address(fd, &::getsockname, operation); }

IoKind stream_kind(const Address& address) noexcept {
  return address.family() == AddressFamily::unix_domain ? IoKind::pipe : IoKind::tcp;
}

void remove_socket_file(const Address& address) noexcept {
  if (address.family() != AddressFamily::unix_domain || address.is_abstract()) return;
  const std::string path = address.host();
  if (!path.empty()) ::unlink(path.c_str());
}

void ignore_broken_pipes() {
  static const bool done = [] {
    struct sigaction current = {};
    if (::sigaction(SIGPIPE, nullptr, &current) == 0 && current.sa_handler == SIG_DFL) ::signal(SIGPIPE, SIG_IGN);
    return true;
  }();
  (void)done;
}

}  // namespace detail

void set_socket_options(const Io& socket, const SocketOptions& options) {
  const std::string operation = "set options of " + std::string(socket.name());
  detail::apply_options(options, socket.descriptor(), detail::bound_address(socket.descriptor(), operation).family(),
                        operation);
}

Address local_address(const Io& socket) {
  return detail::bound_address(socket.descriptor(), "address of " + std::string(socket.name()));
}

Address peer_address(const Io& socket) {
  return detail::query_address(socket.descriptor(), &::getpeername, "peer of " + std::string(socket.name()));
}

}  // namespace trueasync
