#include "trueasync/io/address.hpp"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <charconv>
#include <cstring>
#include <tuple>

#include "trueasync/error.hpp"

namespace trueasync {

namespace {

constexpr std::string_view kUnixPrefix = "unix:";

// std::nullopt unless the whole text is a decimal number in the range of `Number`.
template <class Number>
std::optional<Number> to_number(std::string_view text) noexcept {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A NUL-terminated copy for inet_pton(). Empty, which is no valid address, if the text is too long or contains a NUL.
class TerminatedText {
 public:
  explicit TerminatedText(std::string_view text) noexcept {
    if (text.size() >= sizeof text_ || text.find('\0') != text.npos) return;
    std::memcpy(text_, text.data(), text.size());
  }
  const char* c_str() const noexcept { return text_; }

 private:
  char text_[INET6_ADDRSTRLEN + IF_NAMESIZE] = {};
};

std::optional<std::uint32_t> to_scope(std::string_view text) noexcept {
  if (auto number = to_number<std::uint32_t>(text)) return number;
  const unsigned index = ::if_nametoindex(TerminatedText(text).c_str());
  return index == 0 ? std::nullopt : std::optional<std::uint32_t>(index);
}

template <class Raw>
Address from_raw(const Raw& raw) {
  return Address::from(reinterpret_cast<const sockaddr*>(&raw), sizeof raw);
}

std::optional<Address> try_ipv4(std::string_view host, std::uint16_t port) {
  sockaddr_in raw{};
  raw.sin_family = AF_INET;
  raw.sin_port = htons(port);
  if (::inet_pton(AF_INET, TerminatedText(host).c_str(), &raw.sin_addr) != 1) return std::nullopt;
  return from_raw(raw);
}

std::optional<Address> try_ipv6(std::string_view host, std::uint16_t port) {
  sockaddr_in6 raw{};
  raw.sin6_family = AF_INET6;
  raw.sin6_port = htons(port);
  if (const std::size_t percent = host.find('%'); percent != host.npos) {
    const auto scope = to_scope(host.substr(percent + 1));
    if (!scope) return std::nullopt;
    raw.sin6_scope_id = *scope;
    host = host.substr(0, percent);
  }
  if (::inet_pton(AF_INET6, TerminatedText(host).c_str(), &raw.sin6_addr) != 1) return std::nullopt;
  return from_raw(raw);
}

const sockaddr_in& as_ipv4(const Address& address) noexcept {
  return *reinterpret_cast<const sockaddr_in*>(address.data());
}
const sockaddr_in6& as_ipv6(const Address& address) noexcept {
  return *reinterpret_cast<const sockaddr_in6*>(address.data());
}

}  // namespace

Address Address::parse(std::string_view text) {
  if (auto address = try_parse(text)) return *address;
  throw MisuseError("parse address \"" + std::string(text) +
                    "\": not a numeric or unix: address; use resolve() for names");
}

std::optional<Address> Address::try_parse(std::string_view text) {
  if (text.starts_with(kUnixPrefix)) {
    const std::string_view path = text.substr(kUnixPrefix.size());
    if (path.empty() || path.size() >= sizeof(sockaddr_un::sun_path)) return std::nullopt;
    return unix_socket(path);
  }
  std::string_view port = "0";
  const std::size_t colon = text.rfind(':');
  const bool is_bracketed = text.starts_with('[');
  if (is_bracketed) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return std::nullopt;
    if (end + 1 < text.size()) {
      if (text[end + 1] != ':') return std::nullopt;
      port = text.substr(end + 2);
    }
    text = text.substr(0, end + 1);
  } else if (colon != text.npos && text.find(':') == colon) {
    port = text.substr(colon + 1);
    text = text.substr(0, colon);
  }
  const auto number = to_number<std::uint16_t>(port);
  return number ? try_ip(text, *number) : std::nullopt;
}

Address Address::ip(std::string_view host, std::uint16_t port) {
  if (auto address = try_ip(host, port)) return *address;
  throw MisuseError("parse address \"" + std::string(host) + "\": not a numeric address; use resolve() for names");
}

std::optional<Address> Address::try_ip(std::string_view host, std::uint16_t port) {
  if (host.starts_with('[') && host.ends_with(']')) return try_ipv6(host.substr(1, host.size() - 2), port);
  if (host.find(':') != host.npos) return try_ipv6(host, port);
  return try_ipv4(host, port);
}

Address Address::unix_socket(std::string_view path) {
  sockaddr_un raw{};
  raw.sun_family = AF_UNIX;
  if (path.empty()) throw MisuseError("unix-domain address: the path is empty");
  const bool is_abstract = path[0] == '@' || path[0] == '\0';
  if (path.size() + (is_abstract ? 0 : 1) > sizeof raw.sun_path) {
    throw MisuseError("unix-domain address: the path has " + std::to_string(path.size()) + " bytes, the maximum is " +
                      std::to_string(sizeof raw.sun_path - 1));
  }
  std::memcpy(raw.sun_path, path.data(), path.size());
  if (is_abstract) raw.sun_path[0] = '\0';
  const std::size_t length = offsetof(sockaddr_un, sun_path) + path.size() + (is_abstract ? 0 : 1);
  return from(reinterpret_cast<const sockaddr*>(&raw), static_cast<socklen_t>(length));
}

Address Address::any(AddressFamily family, std::uint16_t port) {
  return ip(family == AddressFamily::ipv6 ? "::" : "0.0.0.0", port);
}

Address Address::loopback(AddressFamily family, std::uint16_t port) {
  return ip(family == AddressFamily::ipv6 ? "::1" : "127.0.0.1", port);
}

Address Address::from(const sockaddr* address, socklen_t length) {
  std::size_t needed = sizeof(sa_family_t);
  if (length >= needed) {
    if (address->sa_family == AF_INET) needed = sizeof(sockaddr_in);
    if (address->sa_family == AF_INET6) needed = sizeof(sockaddr_in6);
  }
  if (length < needed || length > sizeof(sockaddr_storage)) {
    throw MisuseError("socket address: invalid size " + std::to_string(length));
  }
  if (address->sa_family != AF_INET && address->sa_family != AF_INET6 && address->sa_family != AF_UNIX) {
    throw MisuseError("socket address: unsupported family " + std::to_string(address->sa_family));
  }
  Address result;
  std::memcpy(&result.storage_, address, length);
  result.length_ = length;
  return result;
}

AddressFamily Address::family() const noexcept {
  if (empty()) return AddressFamily::none;
  if (storage_.ss_family == AF_INET) return AddressFamily::ipv4;
  return storage_.ss_family == AF_INET6 ? AddressFamily::ipv6 : AddressFamily::unix_domain;
}

std::string_view Address::path() const noexcept {
  const auto& raw = *reinterpret_cast<const sockaddr_un*>(&storage_);
  if (length_ <= offsetof(sockaddr_un, sun_path)) return {};
  const std::string_view bytes(raw.sun_path, length_ - offsetof(sockaddr_un, sun_path));
  return bytes[0] == '\0' ? bytes : bytes.substr(0, bytes.find('\0'));
}

bool Address::is_abstract() const noexcept {
  return family() == AddressFamily::unix_domain && path().starts_with('\0');
}

std::uint16_t Address::port() const noexcept {
  if (family() == AddressFamily::ipv4) return ntohs(as_ipv4(*this).sin_port);
  return family() == AddressFamily::ipv6 ? ntohs(as_ipv6(*this).sin6_port) : std::uint16_t{0};
}

Address Address::with_port(std::uint16_t port) const noexcept {
  Address copy = *this;
  if (family() == AddressFamily::ipv4) reinterpret_cast<sockaddr_in*>(&copy.storage_)->sin_port = htons(port);
  if (family() == AddressFamily::ipv6) reinterpret_cast<sockaddr_in6*>(&copy.storage_)->sin6_port = htons(port);
  return copy;
}

std::uint32_t Address::scope() const noexcept {
  return family() == AddressFamily::ipv6 ? as_ipv6(*this).sin6_scope_id : 0;
}

std::string Address::host() const {
  char text[INET6_ADDRSTRLEN];
  switch (family()) {
    case AddressFamily::none:
      return {};
    case AddressFamily::ipv4:
      return ::inet_ntop(AF_INET, &as_ipv4(*this).sin_addr, text, sizeof text);
    case AddressFamily::ipv6:
      ::inet_ntop(AF_INET6, &as_ipv6(*this).sin6_addr, text, sizeof text);
      return scope() ? std::string(text) + "%" + std::to_string(scope()) : std::string(text);
    case AddressFamily::unix_domain:
      return is_abstract() ? "@" + std::string(path().substr(1)) : std::string(path());
  }
  return {};
}

std::string Address::to_string() const {
  switch (family()) {
    case AddressFamily::none:
      return {};
    case AddressFamily::ipv4:
      return host() + ":" + std::to_string(port());
    case AddressFamily::ipv6:
      return "[" + host() + "]:" + std::to_string(port());
    case AddressFamily::unix_domain:
      return std::string(kUnixPrefix) + host();
  }
  return {};
}

struct Address::Key {
  AddressFamily family;
  std::string_view bytes;
  std::uint32_t scope;
  std::uint16_t port;
};

Address::Key Address::key() const noexcept {
  std::string_view bytes;
  if (family() == AddressFamily::ipv4) bytes = {reinterpret_cast<const char*>(&as_ipv4(*this).sin_addr), 4};
  if (family() == AddressFamily::ipv6) bytes = {reinterpret_cast<const char*>(&as_ipv6(*this).sin6_addr), 16};
  if (family() == AddressFamily::unix_domain) bytes = path();
  return {family(), bytes, scope(), port()};
}

std::strong_ordering operator<=>(const Address& a, const Address& b) noexcept {
  const Address::Key left = a.key();
  const Address::Key right = b.key();
  return std::tie(left.family, left.bytes, left.scope, left.port) <=>
         std::tie(right.family, right.bytes, right.scope, right.port);
}

bool operator==(const Address& a, const Address& b) noexcept { return (a <=> b) == 0; }

}  // namespace trueasync
