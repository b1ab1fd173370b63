// The names of the replaced calls, as import tables spell them: fortified and 64-bit variants have names of their own.
#pragma once

#include <string_view>

namespace trueasync::detail::interpose {

// What an import of this name is to be replaced with; null: it stays.
void* replacement_of(std::string_view name) noexcept;

}  // namespace trueasync::detail::interpose
