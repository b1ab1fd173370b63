// Name lookups and addresses of the C API: members of the reactor table, and conversions that the I/O table uses.
#pragma once

#include "trueasync.h"
#include "trueasync/io/address.hpp"

namespace trueasync::detail {

ta_status lookup_create(const char* host, const char* service, ta_family family, ta_lookup** lookup,
                        ta_error* error) noexcept;
ta_event* lookup_event(ta_lookup* lookup) noexcept;
ta_status lookup_addresses(ta_lookup* lookup, ta_address* addresses, size_t capacity, size_t* count,
                           ta_error* error) noexcept;
void lookup_destroy(ta_lookup* lookup) noexcept;
ta_status c_resolve(const char* host, const char* service, ta_family family, int64_t timeout_ns, ta_address* addresses,
                    size_t capacity, size_t* count, ta_location location, ta_error* error) noexcept;
size_t address_text(const ta_address* address, char* buffer, size_t capacity) noexcept;

// The first two throw MisuseError for invalid values.
AddressFamily to_family(ta_family family);
Address to_address(const ta_address& address);
ta_address to_c_address(const Address& address);

}  // namespace trueasync::detail
