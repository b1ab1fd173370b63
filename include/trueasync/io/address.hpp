// Address: the address of a socket: IPv4, IPv6 with its scope, or a unix-domain path, also abstract.
//
// A value that can be copied, compared and hashed. A default-constructed address is empty. No function here looks up
// names; see resolve() in dns.hpp.
//
// Thread safety: a plain value.
// Errors: MisuseError for a text that is not an address; the try_ functions return std::nullopt instead.
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

// AddressFamily: the family of an address; `none` for an empty address.
enum class AddressFamily : std::uint8_t { none, ipv4, ipv6, unix_domain };

class TRUEASYNC_EXPORT Address {
 public:
  Address() noexcept = default;

  // Parses "127.0.0.1:80", "127.0.0.1", "[::1]:80", "::1", "fe80::1%eth0", "unix:/run/x.sock" or "unix:@abstract". The
  // port defaults to 0. Accepts what to_string() writes: no host names, no shortened IPv4 addresses.
  static Address parse(std::string_view text);
  static std::optional<Address> try_parse(std::string_view text);
  // A numeric host, with or without scope and brackets.
  static Address ip(std::string_view host, std::uint16_t port);
  static std::optional<Address> try_ip(std::string_view host, std::uint16_t port);
  // A unix-domain address. A leading '@' or NUL makes it abstract. MisuseError if `path` is empty or too long for the
  // kernel.
  static Address unix_socket(std::string_view path);
  static Address any(AddressFamily family, std::uint16_t port);
  static Address loopback(AddressFamily family, std::uint16_t port);
  // The address in a sockaddr filled by the kernel. MisuseError for an unknown family or a truncated address. The
  // address of an unbound unix-domain socket has an empty path.
  static Address from(const sockaddr* address, socklen_t length);

  const sockaddr* data() const noexcept { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const noexcept { return length_; }

  bool empty() const noexcept { return length_ == 0; }
  explicit operator bool() const noexcept { return length_ != 0; }
  AddressFamily family() const noexcept;
  bool is_ip() const noexcept { return family() == AddressFamily::ipv4 || family() == AddressFamily::ipv6; }
  bool is_abstract() const noexcept;
  // 0 if the family has no ports.
  std::uint16_t port() const noexcept;
  Address with_port(std::uint16_t port) const noexcept;
  // The interface index of a link-local IPv6 address; 0 if none.
  std::uint32_t scope() const noexcept;
  // "127.0.0.1", "fe80::1%2", or the path of a unix-domain address; abstract paths begin with '@'.
  std::string host() const;
  // The text that parse() reads. An IP address always has its port; an IPv6 address is in brackets.
  std::string to_string() const;

  friend TRUEASYNC_EXPORT bool operator==(const Address& a, const Address& b) noexcept;
  friend TRUEASYNC_EXPORT std::strong_ordering operator<=>(const Address& a, const Address& b) noexcept;

 private:
  std::string_view path() const noexcept;
  // The bytes that identify the address, without padding and fields the kernel ignores.
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
