// Address: where a socket is or goes – IPv4, IPv6 with its scope, or a unix-domain path (abstract ones too).
//
// A plain value: copies, compares and hashes; empty until it is given something. Never looks up a name: that is
// resolve() of dns.hpp. Threads: plain values. Errors: MisuseError for a text that is no address; try_parse returns
// nothing instead.
#pragma once

#include <sys/socket.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "trueasync/export.hpp"

namespace trueasync {

enum class AddressFamily : std::uint8_t { none, ipv4, ipv6, unix_domain };

class TRUEASYNC_EXPORT Address {
 public:
  Address() noexcept = default;

  // "127.0.0.1:80", "127.0.0.1", "[::1]:80", "::1", "fe80::1%eth0", "unix:/run/x.sock", "unix:@abstract". Without a port
  // it is 0. Only what to_string() could have written: no names, no shortened IPv4.
  static Address parse(std::string_view text);
  static std::optional<Address> try_parse(std::string_view text);
  // A numeric host, with a scope or without, in brackets or not.
  static Address ip(std::string_view host, std::uint16_t port);
  static std::optional<Address> try_ip(std::string_view host, std::uint16_t port);
  // A leading '@' or NUL makes it abstract. MisuseError when it is empty or too long for the kernel.
  static Address unix_socket(std::string_view path);
  static Address any(AddressFamily family, std::uint16_t port);
  static Address loopback(AddressFamily family, std::uint16_t port);
  // What the kernel gave. Of an unknown family, or cut off: MisuseError. A socket without a name is an unnamed one.
  static Address from(const sockaddr* address, socklen_t length);

  const sockaddr* data() const noexcept { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const noexcept { return length_; }

  bool empty() const noexcept { return length_ == 0; }
  explicit operator bool() const noexcept { return length_ != 0; }
  AddressFamily family() const noexcept;
  bool is_ip() const noexcept { return family() == AddressFamily::ipv4 || family() == AddressFamily::ipv6; }
  bool is_abstract() const noexcept;
  // 0 for what has none.
  std::uint16_t port() const noexcept;
  Address with_port(std::uint16_t port) const noexcept;
  // The interface of a link-local IPv6 address; 0: none.
  std::uint32_t scope() const noexcept;
  // "127.0.0.1", "fe80::1%2"; the path of a unix-domain one, abstract ones with '@'.
  std::string host() const;
  // What parse() reads. An IP address always with its port, an IPv6 one in brackets.
  std::string to_string() const;

  friend TRUEASYNC_EXPORT bool operator==(const Address& a, const Address& b) noexcept;
  friend TRUEASYNC_EXPORT std::strong_ordering operator<=>(const Address& a, const Address& b) noexcept;

 private:
  std::string_view path() const noexcept;
  // What makes it this address, without padding and what the kernel ignores.
  struct Key;
  Key key() const noexcept;

  sockaddr_storage storage_{};
  socklen_t length_ = 0;
};

}  // namespace trueasync

template <>
struct std::hash<trueasync::Address> {
  std::size_t operator()(const trueasync::Address& address) const {
    return std::hash<std::string>{}(address.to_string());
  }
};
