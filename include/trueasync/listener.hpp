// Listener: a socket that accepts connections, and serve(), the loop that gives each one a coroutine.
//
// Owns: the descriptor; the file of a unix-domain socket is removed when it is closed. Lifetime: may outlive the runtime
// (then only close() works). Threads: the runtime's. Errors: IoError ("listen 127.0.0.1:80: Permission denied"),
// ClosedError, TimeoutError, Cancelled.
//
// A connection that its peer gave up before it was accepted is skipped. When the process or the system has no descriptor
// left, waiting connections are accepted and closed at once, one by one: the peer learns that it is not served, those who
// are connected go on, and as soon as a descriptor is free the next one is served. shed() counts them.
#pragma once

#include <functional>

#include "trueasync/address.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/io.hpp"
#include "trueasync/net.hpp"

namespace trueasync {

namespace detail {
class ListenHandle;
}

struct ListenOptions {
  int backlog = 4096;         // the kernel cuts it to net.core.somaxconn
  bool reuse_address = true;  // a restarted server need not wait for old connections to time out
  bool reuse_port = false;    // several listeners share the port, one per thread or process
  bool ipv6_only = false;     // an IPv6 listener on "any" takes IPv4 as well, unless this says no
  SocketOptions socket = {};  // of the accepted connections
};

class TRUEASYNC_EXPORT Listener {
 public:
  Listener() noexcept;
  explicit Listener(Ref<detail::ListenHandle> handle) noexcept;
  Listener(Listener&& other) noexcept;
  Listener& operator=(Listener&& other) noexcept;
  ~Listener();

  // The next connection, non-blocking and close-on-exec. Several accepters take turns in the order they came.
  Io accept(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());
  // Fires when a connection may be waiting, for waits of several things (REA-02). Whoever is quicker gets it:
  // accept(0ns) throws TimeoutError if it was another one. MisuseError outside a runtime.
  Event& event();

  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  // With the port the kernel has chosen.
  const Address& local_address() const;
  std::uint64_t accepted() const noexcept;
  // Connections closed because there was no descriptor for them.
  std::uint64_t shed() const noexcept;
  int descriptor() const noexcept;  // -1 once closed
  // Wakes who accepts with ClosedError. A second close does nothing.
  void close() noexcept;

 private:
  detail::ListenHandle& handle() const;
  Ref<detail::ListenHandle> handle_;
};

TRUEASYNC_EXPORT Listener listen(const Address& address, const ListenOptions& options = {});

struct ServeOptions {
  std::size_t max_connections = 0;  // at once; the others wait in the backlog. 0: no limit of ours
  SpawnOptions coroutine = {};      // of each connection
  // What a handler threw. Without it IoError and TimeoutError end the connection only; anything else is an error nobody
  // awaits, and shuts the runtime down.
  std::function<void(std::exception_ptr error)> on_error = nullptr;
};

// Accepts until the listener is closed, then waits until the last connection has ended, and returns. The handler owns its
// connection. Cancelled: it cancels the handlers and waits for them first. What accept() throws comes out the same way.
TRUEASYNC_EXPORT void serve(Listener& listener, const std::function<void(Io)>& handler,
                            const ServeOptions& options = {}, SourceLocation location = SourceLocation::current());

}  // namespace trueasync
