// What the lookups share.
#pragma once

namespace trueasync::detail::interpose {

// An address in figures: there is nothing to look up.
bool is_numeric_address(const char* host) noexcept;

}  // namespace trueasync::detail::interpose
