#include "trueasync/io/net.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "io/listen_handle.hpp"
#include "io/socket.hpp"

namespace trueasync {

Listener::Listener() noexcept = default;
Listener::Listener(Ref<detail::ListenHandle> handle) noexcept : handle_(std::move(handle)) {}
Listener::Listener(Listener&& other) noexcept = default;
Listener& Listener::operator=(Listener&& other) noexcept {
  if (this != &other) {
    close();
    handle_ = std::move(other.handle_);
  }
  return *this;
}
Listener::~Listener() { close(); }

detail::ListenHandle& Listener::handle() const {
  if (!handle_) throw MisuseError("Listener: the handle is empty; use listen()");
  return *handle_;
}

Io Listener::accept(WaitOptions options, SourceLocation location) {
  Ref<detail::ListenHandle> keep_alive(&handle());
  Io accepted;
  detail::check_io_result(keep_alive->accept(accepted, detail::start_wait(options), location), "accept on",
                          keep_alive->socket());
  return accepted;
}

Event& Listener::event() {
  if (handle().socket().is_closed()) throw ClosedError("accept on " + handle().socket().name());
  return handle().socket().registration().readable();
}

const Address& Listener::local_address() const { return handle().local(); }
std::uint64_t Listener::accepted() const noexcept { return handle_ ? handle_->accepted() : 0; }
std::uint64_t Listener::shed() const noexcept { return handle_ ? handle_->shed() : 0; }
int Listener::descriptor() const noexcept { return handle_ ? handle_->socket().descriptor() : -1; }
void Listener::close() noexcept {
  if (handle_) handle_->close();
}

Listener listen(const Address& address, const ListenOptions& options) {
  const std::string operation = "listen " + address.to_string();
  detail::UniqueFd opened = detail::open_socket(address, SOCK_STREAM, operation);
  const int fd = opened.get();
  if (address.is_ip()) {
    detail::set_option(fd, SOL_SOCKET, SO_REUSEADDR, options.reuse_address, operation);
    if (options.reuse_port) detail::set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1, operation);
  }
  if (address.family() == AddressFamily::ipv6) {
    detail::set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, options.ipv6_only, operation);
  }
  // Accepted connections inherit the options: this saves system calls for each of them.
  detail::apply_options(options.socket, fd, address.family(), operation);
  detail::bind_socket(fd, address, operation);
  if (::listen(fd, options.backlog) != 0) throw IoError(operation, errno);
  Address local = detail::bound_address(fd, operation);
  auto socket = Ref<detail::StreamHandle>::adopt(
      new detail::StreamHandle(detail::stream_kind(address), fd, local.to_string(), detail::PollMode::level));
  opened.release();
  return detail::Access::from_handle<Listener>(
      Ref<detail::ListenHandle>::adopt(new detail::ListenHandle(std::move(socket), std::move(local))));
}

}  // namespace trueasync
