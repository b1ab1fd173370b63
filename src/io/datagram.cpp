#include "trueasync/io/datagram.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "io/socket.hpp"
#include "io/stream_handle.hpp"
#include "trueasync/detail/access.hpp"

namespace trueasync {

namespace {

// Delay between attempts to send while the receiver's queue is full.
constexpr std::chrono::milliseconds kRetryDelay{1};

enum class Direction : std::uint8_t { receive, send };

// Calls `attempt` under the FIFO lock of its direction and waits for readiness while it returns EAGAIN. `attempt`
// returns 0 or errno.
template <class Attempt>
detail::IoResult retry_until_ready(detail::StreamHandle& handle, Direction direction, detail::IoWait wait,
                                   SourceLocation location, Attempt&& attempt) {
  Ref<detail::StreamHandle> keep_alive(&handle);
  const bool receives = direction == Direction::receive;
  detail::FifoLockRequest lock(receives ? handle.read_lock() : handle.write_lock());
  if (detail::IoResult outcome = handle.acquire_lock(lock, wait, location); !outcome.ok()) return outcome;
  for (;;) {
    int code;
    do {
      code = attempt();
    } while (code == EINTR);
    if (code != EAGAIN && code != EWOULDBLOCK) return {0, code, WakeReason::none, nullptr};
    detail::IoResult outcome = receives ? handle.wait_readable(wait, location) : handle.wait_writable(wait, location);
    if (!outcome.ok()) return outcome;
  }
}

// 0 or errno.
int try_receive(int fd, Bytes buffer, Datagram& result) {
  sockaddr_storage from;
  iovec piece{buffer.data(), buffer.size()};
  msghdr message = {};
  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  const ssize_t got = ::recvmsg(fd, &message, MSG_TRUNC);  // returns the full length of the datagram
  if (got < 0) return errno;
  result.full_size = static_cast<std::size_t>(got);
  result.size = std::min(result.full_size, buffer.size());
  const bool is_unnamed = message.msg_namelen <= sizeof(sa_family_t);
  result.from = is_unnamed ? Address() : Address::from(reinterpret_cast<sockaddr*>(&from), message.msg_namelen);
  return 0;
}

int try_send(int fd, ConstBytes data, const Address* to) noexcept {
  const ssize_t sent = to ? ::sendto(fd, data.data(), data.size(), MSG_NOSIGNAL, to->data(), to->size())
                          : ::send(fd, data.data(), data.size(), MSG_NOSIGNAL);
  return sent < 0 ? errno : 0;
}

// For unconnected unix-domain sockets: the kernel reports readiness of the socket's own buffer only, not of the
// receiver's queue.
detail::IoResult send_with_retry(detail::StreamHandle& handle, ConstBytes data, const Address& to, detail::IoWait wait,
                                 SourceLocation location) {
  for (;;) {
    if (handle.is_closed()) return {0, detail::kIoClosed, WakeReason::none, nullptr};
    const int code = try_send(handle.descriptor(), data, &to);
    if (code != EAGAIN && code != EINTR) return {0, code, WakeReason::none, nullptr};
    detail::IoResult outcome = detail::wait_before_retry(kRetryDelay, wait, location);
    if (!outcome.ok()) return outcome;
  }
}

void configure(int fd, const DatagramOptions& options, const std::string& operation) {
  if (options.reuse_address) detail::set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1, operation);
  if (options.reuse_port) detail::set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1, operation);
  if (options.broadcast) detail::set_option(fd, SOL_SOCKET, SO_BROADCAST, 1, operation);
  if (options.send_buffer) detail::set_option(fd, SOL_SOCKET, SO_SNDBUF, *options.send_buffer, operation);
  if (options.receive_buffer) detail::set_option(fd, SOL_SOCKET, SO_RCVBUF, *options.receive_buffer, operation);
}

Ref<detail::StreamHandle> make_handle(detail::UniqueFd opened, std::string name) {
  auto handle = Ref<detail::StreamHandle>::adopt(
      new detail::StreamHandle(IoKind::udp, opened.get(), std::move(name), detail::PollMode::level));
  opened.release();
  return handle;
}

}  // namespace

DatagramSocket::DatagramSocket() noexcept = default;
DatagramSocket::DatagramSocket(Ref<detail::StreamHandle> handle, Address local)
    : handle_(std::move(handle)), local_(std::move(local)) {}
DatagramSocket::DatagramSocket(DatagramSocket&& other) noexcept = default;
DatagramSocket& DatagramSocket::operator=(DatagramSocket&& other) noexcept {
  if (this != &other) {
    close();
    handle_ = std::move(other.handle_);
    local_ = std::move(other.local_);
  }
  return *this;
}
DatagramSocket::~DatagramSocket() { close(); }

detail::StreamHandle& DatagramSocket::handle() const {
  if (!handle_) throw MisuseError("DatagramSocket: the handle is empty; use bind_udp() or connect_udp()");
  return *handle_;
}

Datagram DatagramSocket::receive_from(Bytes buffer, WaitOptions options, SourceLocation location) {
  Ref<detail::StreamHandle> keep_alive(&handle());
  Datagram result;
  const detail::IoResult outcome =
      retry_until_ready(*keep_alive, Direction::receive, detail::start_wait(options), location,
                        [&] { return try_receive(keep_alive->descriptor(), buffer, result); });
  detail::check_io_result(outcome, "receive on", *keep_alive);
  keep_alive->count_read(result.size);
  return result;
}

void DatagramSocket::send_to(ConstBytes data, const Address& to, WaitOptions options, SourceLocation location) {
  Ref<detail::StreamHandle> keep_alive(&handle());
  const detail::IoWait wait = detail::start_wait(options);
  const detail::IoResult outcome = to.family() == AddressFamily::unix_domain
                                       ? send_with_retry(*keep_alive, data, to, wait, location)
                                       : retry_until_ready(*keep_alive, Direction::send, wait, location, [&] {
                                           return try_send(keep_alive->descriptor(), data, &to);
                                         });
  if (!outcome.ok()) detail::check_io_result(outcome, ("send to " + to.to_string() + " from").c_str(), *keep_alive);
  keep_alive->count_written(data.size());
}

void DatagramSocket::connect(const Address& peer) {
  if (::connect(handle().descriptor(), peer.data(), peer.size()) != 0) {
    throw IoError("connect " + handle().name() + " to " + peer.to_string(), errno);
  }
}

void DatagramSocket::send(ConstBytes data, WaitOptions options, SourceLocation location) {
  Ref<detail::StreamHandle> keep_alive(&handle());
  const detail::IoResult outcome =
      retry_until_ready(*keep_alive, Direction::send, detail::start_wait(options), location,
                        [&] { return try_send(keep_alive->descriptor(), data, nullptr); });
  detail::check_io_result(outcome, "send on", *keep_alive);
  keep_alive->count_written(data.size());
}

Address DatagramSocket::local_address() const { return local_; }
int DatagramSocket::descriptor() const noexcept { return handle_ ? handle_->descriptor() : -1; }
void DatagramSocket::close() noexcept {
  if (!handle_ || handle_->is_closed()) return;
  handle_->close();
  detail::remove_socket_file(local_);
}

DatagramSocket bind_udp(const Address& address, const DatagramOptions& options) {
  const std::string operation = "bind " + address.to_string();
  detail::UniqueFd opened = detail::open_socket(address, SOCK_DGRAM, operation);
  configure(opened.get(), options, operation);
  detail::bind_socket(opened.get(), address, operation);
  Address local = detail::bound_address(opened.get(), operation);
  std::string name = local.to_string();
  return detail::Access::from_handle<DatagramSocket>(make_handle(std::move(opened), std::move(name)), std::move(local));
}

DatagramSocket connect_udp(const Address& peer, const DatagramOptions& options) {
  const std::string operation = "connect " + peer.to_string();
  detail::UniqueFd opened = detail::open_socket(peer, SOCK_DGRAM, operation);
  configure(opened.get(), options, operation);
  if (::connect(opened.get(), peer.data(), peer.size()) != 0) throw IoError(operation, errno);
  Address local = peer.is_ip() ? detail::bound_address(opened.get(), operation) : Address();
  return detail::Access::from_handle<DatagramSocket>(make_handle(std::move(opened), peer.to_string()),
                                                     std::move(local));
}

}  // namespace trueasync
