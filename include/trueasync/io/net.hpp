// net.hpp: stream connections over TCP and unix-domain sockets. connect() returns an Io; see Listener for listeners
// and datagram.hpp for datagrams.
//
// A host with several addresses is connected by RFC 8305 ("happy eyeballs"): address families alternate, the next
// attempt starts when the previous one fails or after attempt_delay, the first connection wins and the other attempts
// are closed. If the timeout is too short for that delay, each attempt gets an equal share of the remaining time.
//
// Thread safety: one runtime.
// Errors: IoError ("connect 127.0.0.1:6379: Connection refused"; the message lists all attempts), DnsError,
// TimeoutError, OperationCancelled, Cancelled.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "trueasync/coroutine.hpp"
#include "trueasync/io/address.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync {

// KeepAlive: TCP keep-alive in whole seconds. A dead peer is detected after idle + probes * interval.
struct KeepAlive {
  std::chrono::seconds idle{60};      // before the first probe; default 60 s
  std::chrono::seconds interval{10};  // between probes; default 10 s
  int probes = 6;                     // default 6
};

// SocketOptions: options of a connection.
struct SocketOptions {
  bool no_delay = true;                                // TCP_NODELAY: send small writes immediately; default: yes
  std::optional<KeepAlive> keep_alive = std::nullopt;  // default: off
  // Bytes; the kernel doubles the value. Default: the kernel's automatic sizing.
  std::optional<int> send_buffer = std::nullopt;
  std::optional<int> receive_buffer = std::nullopt;
  // Only 0 is allowed: close() resets the connection and discards unsent data. Other values would block the event loop.
  // To know that the peer got all data, shut down writing and read to the end. Default: off.
  std::optional<std::chrono::seconds> linger = std::nullopt;
};

// ConnectOptions: options of connect().
struct ConnectOptions {
  SocketOptions socket = {};
  Address local = {};                            // local address; empty: chosen by the kernel
  AddressFamily family = AddressFamily::none;    // of a host's addresses; none: both families
  std::chrono::milliseconds attempt_delay{250};  // before the next attempt starts; default 250 ms
};

// `wait` applies to the lookup and all attempts together.
TRUEASYNC_EXPORT Io connect(const Address& address, const ConnectOptions& options = {}, WaitOptions wait = {},
                            SourceLocation location = SourceLocation::current());
TRUEASYNC_EXPORT Io connect(std::string_view host, std::uint16_t port, const ConnectOptions& options = {},
                            WaitOptions wait = {}, SourceLocation location = SourceLocation::current());
// Connects to the first address that answers. `name` is for error messages.
TRUEASYNC_EXPORT Io connect_any(std::span<const Address> addresses, std::string_view name,
                                const ConnectOptions& options = {}, WaitOptions wait = {},
                                SourceLocation location = SourceLocation::current());

// Sets the options of an open socket.
TRUEASYNC_EXPORT void set_socket_options(const Io& socket, const SocketOptions& options);
// IoError if the handle is not a socket.
TRUEASYNC_EXPORT Address local_address(const Io& socket);
TRUEASYNC_EXPORT Address peer_address(const Io& socket);

// Listener: a socket that accepts connections. serve() runs a coroutine for each connection.
//
// A connection that the peer closed before it was accepted is skipped. If no descriptor is available, waiting
// connections are accepted and closed immediately, so that peers see a rejection instead of a hang; shed() counts them.
// Existing connections are not affected, and accepting continues once a descriptor is available.
//
// Ownership: the descriptor; the file of a unix-domain socket is removed on close.
// Lifetime: may outlive the runtime; then only close() works.
// Thread safety: one runtime.
// Errors: IoError ("listen 127.0.0.1:80: Permission denied"), ClosedError, TimeoutError, OperationCancelled, Cancelled.

namespace detail {
class ListenHandle;
}  // namespace detail

// ListenOptions: options of listen().
struct ListenOptions {
  int backlog = 4096;         // default 4096; bounded by net.core.somaxconn
  bool reuse_address = true;  // a restarted server can bind immediately; default: yes
  bool reuse_port = false;    // several listeners share the port, one per thread or process; default: no
  bool ipv6_only = false;     // an IPv6 listener on "any" rejects IPv4; default: no
  SocketOptions socket = {};  // of the accepted connections
};

class TRUEASYNC_EXPORT Listener {
 public:
  Listener() noexcept;
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&& other) noexcept;
  ~Listener();

  // The next connection, non-blocking and close-on-exec. Several accepters are granted connections in FIFO order.
  Io accept(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Fires when a connection may be ready to accept; for waiting on several events. Another coroutine may accept it
  // first: accept(0ns) then throws TimeoutError. MisuseError outside a runtime.
  Event& event();

  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  // The bound address, with the port that the kernel chose.
  const Address& local_address() const;
  std::uint64_t accepted() const noexcept;
  // Connections closed because no descriptor was available.
  std::uint64_t shed() const noexcept;
  int descriptor() const noexcept;  // -1 once closed
  // Closes the listener; waiting accept() calls throw ClosedError. A second close has no effect.
  void close() noexcept;

 private:
  friend struct detail::Access;
  explicit Listener(Ref<detail::ListenHandle> handle) noexcept;
  detail::ListenHandle& handle() const;

  Ref<detail::ListenHandle> handle_;
};

TRUEASYNC_EXPORT Listener listen(const Address& address, const ListenOptions& options = {});

// ServeOptions: options of serve().
struct ServeOptions {
  std::size_t max_connections = 0;  // concurrent connections; further ones wait in the backlog. 0: no limit
  SpawnOptions coroutine = {};      // options of each connection's coroutine
  // Called with the error of a handler. Default: IoError and TimeoutError end only the connection; any other error is
  // unhandled and shuts the runtime down.
  std::function<void(std::exception_ptr error)> on_error = nullptr;
};

// Accepts until the listener is closed, then waits until the last connection has finished. The handler owns its
// connection. If serve() is interrupted or accept() throws, it cancels the handlers and waits for them before it
// throws.
TRUEASYNC_EXPORT void serve(Listener& listener, const std::function<void(Io)>& handler,
                            const ServeOptions& options = {}, WaitOptions wait = {},
                            SourceLocation location = SourceLocation::current());

}  // namespace trueasync
