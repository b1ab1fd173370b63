#include "capi/address.hpp"

#include "capi/handles.hpp"
#include "trueasync/io/dns.hpp"

namespace trueasync::detail {

namespace {

Lookup* lookup_of(ta_lookup* lookup) noexcept { return reinterpret_cast<Lookup*>(lookup); }

void write_addresses(const std::vector<Address>& found, ta_address* addresses, size_t capacity, size_t* count) {
  for (std::size_t i = 0; i < found.size() && i < capacity; ++i)
    require_non_null(addresses, "the addresses")[i] = to_c_address(found[i]);
  if (count) *count = found.size();
}

}  // namespace

AddressFamily to_family(ta_family family) {
  switch (family) {
    case TA_FAMILY_ANY:
      return AddressFamily::none;
    case TA_FAMILY_IPV4:
      return AddressFamily::ipv4;
    case TA_FAMILY_IPV6:
      return AddressFamily::ipv6;
    default:
      throw MisuseError("ta_family: unknown address family " + std::to_string(family));
  }
}

Address to_address(const ta_address& address) {
  if (address.length > sizeof address.storage.bytes)
    throw MisuseError("ta_address.length must not exceed " + std::to_string(sizeof address.storage.bytes) + " (got " +
                      std::to_string(address.length) + ")");
  return Address::from(reinterpret_cast<const sockaddr*>(address.storage.bytes), address.length);
}

ta_address to_c_address(const Address& address) {
  static_assert(sizeof(sockaddr_storage) <= sizeof(ta_address::storage));
  ta_address result = {};
  result.length = address.size();
  std::memcpy(result.storage.bytes, address.data(), address.size());
  return result;
}

ta_status lookup_create(const char* host, const char* service, ta_family family, ta_lookup** lookup,
                        ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(lookup, "the output parameter `lookup`");
    *lookup = reinterpret_cast<ta_lookup*>(new Lookup(std::string_view(require_non_null(host, "the host")),
                                                      std::string_view(service ? service : "0"), to_family(family)));
  });
}

ta_event* lookup_event(ta_lookup* lookup) noexcept { return lookup ? handle_of(&lookup_of(lookup)->event()) : nullptr; }

ta_status lookup_addresses(ta_lookup* lookup, ta_address* addresses, size_t capacity, size_t* count,
                           ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    write_addresses(lookup_of(require_non_null(lookup, "the lookup"))->addresses(), addresses, capacity, count);
  });
}

void lookup_destroy(ta_lookup* lookup) noexcept { delete lookup_of(lookup); }

ta_status c_resolve(const char* host, const char* service, ta_family family, int64_t timeout_ns, ta_address* addresses,
                    size_t capacity, size_t* count, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const ResolveOptions options{.family = to_family(family)};
    write_addresses(
        resolve(std::string_view(require_non_null(host, "the host")), std::string_view(service ? service : "0"),
                options, to_timeout(timeout_ns), to_location(location)),
        addresses, capacity, count);
  });
}

size_t address_text(const ta_address* address, char* buffer, size_t capacity) noexcept {
  try {
    return copy_text(to_address(*require_non_null(address, "the address")).to_string(), buffer, capacity);
  } catch (...) {
    return copy_text("", buffer, capacity);
  }
}

}  // namespace trueasync::detail
