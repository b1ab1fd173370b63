// DatagramSocket: UDP and unix-domain datagrams, with addresses. One call is one datagram.
//
// Owns: the descriptor; the file of a unix-domain socket is removed when it is closed. A datagram that does not fit the
// buffer is cut, and the result says so; one without bytes is a datagram like any other, not an end. Threads: the
// runtime's. Errors: IoError ("send to 127.0.0.1:53 from 127.0.0.1:4000: Message too long"), ClosedError, TimeoutError,
// Cancelled.
#pragma once

#include "trueasync/address.hpp"
#include "trueasync/io.hpp"

namespace trueasync {

namespace detail {
class StreamHandle;
}

struct Datagram {
  std::size_t size = 0;       // how much of it is in the buffer
  std::size_t full_size = 0;  // how much it was
  Address from = {};          // empty: the sender has no address (unix-domain)

  bool is_truncated() const noexcept { return full_size > size; }
};

struct DatagramOptions {
  bool reuse_address = false;
  bool reuse_port = false;  // several sockets share the port, the kernel spreads the senders
  bool broadcast = false;
  std::optional<int> send_buffer = std::nullopt;
  std::optional<int> receive_buffer = std::nullopt;
};

class TRUEASYNC_EXPORT DatagramSocket {
 public:
  DatagramSocket() noexcept;
  DatagramSocket(Ref<detail::StreamHandle> handle, Address local);
  DatagramSocket(DatagramSocket&& other) noexcept;
  DatagramSocket& operator=(DatagramSocket&& other) noexcept;
  ~DatagramSocket();

  Datagram receive_from(Bytes buffer, Limit timeout = std::nullopt,
                        SourceLocation location = SourceLocation::current());
  void send_to(ConstBytes data, const Address& to, Limit timeout = std::nullopt,
               SourceLocation location = SourceLocation::current());

  // From now on datagrams go to this address and come from there only. A peer that is not there is ECONNREFUSED at the
  // next call.
  void connect(const Address& peer);
  void send(ConstBytes data, Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());

  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  // Where it is bound, with the port the kernel has chosen.
  Address local_address() const;
  int descriptor() const noexcept;  // -1 once closed
  void close() noexcept;

 private:
  detail::StreamHandle& handle() const;
  Ref<detail::StreamHandle> handle_;
  Address local_;
};

// Port 0: the kernel chooses one.
TRUEASYNC_EXPORT DatagramSocket bind_udp(const Address& address, const DatagramOptions& options = {});
// A socket that talks to one peer, from an address that the kernel chooses.
TRUEASYNC_EXPORT DatagramSocket connect_udp(const Address& peer, const DatagramOptions& options = {});

}  // namespace trueasync
