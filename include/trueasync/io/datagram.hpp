// DatagramSocket: UDP and unix-domain datagrams with addresses. One call transfers one datagram.
//
// A datagram larger than the buffer is truncated, which the result reports. An empty datagram is not the end of a
// stream.
//
// Ownership: the descriptor; the file of a unix-domain socket is removed on close.
// Thread safety: one runtime.
// Errors: IoError ("send to 127.0.0.1:53 from 127.0.0.1:4000: Message too long"), ClosedError, TimeoutError,
// OperationCancelled, Cancelled.
#pragma once

#include "trueasync/io/address.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync {

namespace detail {
class StreamHandle;
}

// Datagram: the result of receive_from().
struct Datagram {
  std::size_t size = 0;       // bytes in the buffer
  std::size_t full_size = 0;  // size of the datagram
  Address from = {};          // empty if the sender has no address (unix-domain)

  bool is_truncated() const noexcept { return full_size > size; }
};

// DatagramOptions: options of bind_udp() and connect_udp(). All default to off or to the kernel's value.
struct DatagramOptions {
  bool reuse_address = false;                        // SO_REUSEADDR
  bool reuse_port = false;                           // SO_REUSEPORT: several sockets share the port
  bool broadcast = false;                            // SO_BROADCAST
  std::optional<int> send_buffer = std::nullopt;     // SO_SNDBUF, bytes
  std::optional<int> receive_buffer = std::nullopt;  // SO_RCVBUF, bytes
};

class TRUEASYNC_EXPORT DatagramSocket {
 public:
  DatagramSocket() noexcept;
  DatagramSocket(DatagramSocket&& other) noexcept;
  DatagramSocket& operator=(DatagramSocket&& other) noexcept;
  ~DatagramSocket();

  Datagram receive_from(Bytes buffer, WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  void send_to(ConstBytes data, const Address& to, WaitOptions options = {},
               SourceLocation location = SourceLocation::current());

  // Sets the peer: later datagrams are sent to this address and accepted from it only. If the peer has no socket, the
  // next call fails with ECONNREFUSED.
  void connect(const Address& peer);
  void send(ConstBytes data, WaitOptions options = {}, SourceLocation location = SourceLocation::current());

  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  // The bound address, with the port that the kernel chose.
  Address local_address() const;
  int descriptor() const noexcept;  // -1 once closed
  void close() noexcept;

 private:
  friend struct detail::Access;
  DatagramSocket(Ref<detail::StreamHandle> handle, Address local);
  detail::StreamHandle& handle() const;

  Ref<detail::StreamHandle> handle_;
  Address local_;
};

// Creates a socket bound to `address`. With port 0 the kernel chooses a port.
TRUEASYNC_EXPORT DatagramSocket bind_udp(const Address& address, const DatagramOptions& options = {});
// Creates a socket with a fixed peer and a local address chosen by the kernel.
TRUEASYNC_EXPORT DatagramSocket connect_udp(const Address& peer, const DatagramOptions& options = {});

}  // namespace trueasync
