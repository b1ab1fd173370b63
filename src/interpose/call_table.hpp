// The table of replaced calls, by symbol name. Fortified and 64-bit variants are separate symbols.
#pragma once

#include <string_view>

namespace trueasync::detail::interpose {

// Returns the replacement for an import of this name, or null if the import is not replaced.
void* find_replacement(std::string_view name) noexcept;

}  // namespace trueasync::detail::interpose
