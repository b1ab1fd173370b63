// net.hpp: stream connections over TCP and unix-domain sockets. connect() returns an Io; see listener.hpp for listeners
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
#include <optional>
#include <span>
#include <string_view>

#include "trueasync/address.hpp"
#include "trueasync/io.hpp"

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

}  // namespace trueasync
