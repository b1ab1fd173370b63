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
#pragma once

#include <functional>

#include "trueasync/address.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/io.hpp"
#include "trueasync/net.hpp"

namespace trueasync {

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
