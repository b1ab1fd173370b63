// Stream connections: TCP and unix-domain sockets. connect() gives an Io; listeners are in listener.hpp, datagrams in
// datagram.hpp.
//
// A host with several addresses is tried as RFC 8305 has it ("happy eyeballs"): families take turns, the next attempt
// begins when the one before fails or has not answered within attempt_delay, the first connection wins and the others
// are closed. Where `limit` is too short for that delay, each attempt gets an equal share of the remaining time.
//
// Thread safety: one runtime.
// Errors: IoError ("connect 127.0.0.1:6379: Connection refused"; of several attempts the message has them all), DnsError,
// TimeoutError when `limit` passed, Cancelled.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "trueasync/address.hpp"
#include "trueasync/io.hpp"

namespace trueasync {

// Dead peers are noticed after `idle` plus `probes` times `interval`. Whole seconds are what the kernel counts in.
struct KeepAlive {
  std::chrono::seconds idle{60};
  std::chrono::seconds interval{10};
  int probes = 6;
};

struct SocketOptions {
  bool no_delay = true;  // small writes go out at once; only TCP has it
  std::optional<KeepAlive> keep_alive = std::nullopt;
  // Bytes; the kernel doubles them for its own needs. Nothing: it adapts them.
  std::optional<int> send_buffer = std::nullopt;
  std::optional<int> receive_buffer = std::nullopt;
  // 0: close resets the connection instead of sending what is unsent. Nothing else is allowed, for close would block the
  // loop: shut down writing and read to the end to know that the peer has got everything.
  std::optional<std::chrono::seconds> linger = std::nullopt;
};

struct ConnectOptions {
  Limit timeout = std::nullopt;  // for all of it: the lookup and every attempt
  SocketOptions socket = {};
  Address local = {};                          // where from; empty: the kernel chooses
  AddressFamily family = AddressFamily::none;  // of a host's addresses; none: both
  std::chrono::milliseconds attempt_delay{250};
};

TRUEASYNC_EXPORT Io connect(const Address& address, const ConnectOptions& options = {},
                            SourceLocation location = SourceLocation::current());
TRUEASYNC_EXPORT Io connect(std::string_view host, std::uint16_t port, const ConnectOptions& options = {},
                            SourceLocation location = SourceLocation::current());
// To whichever of these answers first; `name` is for messages.
TRUEASYNC_EXPORT Io connect_any(std::span<const Address> addresses, std::string_view name,
                                const ConnectOptions& options = {},
                                SourceLocation location = SourceLocation::current());

// Of a socket that is open already.
TRUEASYNC_EXPORT void set_socket_options(const Io& socket, const SocketOptions& options);
// Throw IoError for what is no socket.
TRUEASYNC_EXPORT Address local_address(const Io& socket);
TRUEASYNC_EXPORT Address peer_address(const Io& socket);

}  // namespace trueasync
