// Guard pages: memory below a stack that faults on access, so that an overflow cannot corrupt the neighboring stack.
//
// There are two kinds. MADV_GUARD_INSTALL (Linux 6.13) marks pages inside a mapping. mprotect splits the mapping, so
// each guard uses two of the mappings that vm.max_map_count allows. The library counts them for the whole process and
// leaves kReservedMappings to the program.
//
// Thread safety: any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trueasync::detail {

enum class GuardKind : std::uint8_t {
  automatic,  // madvise where the kernel has it, otherwise mprotect; never none
  madvise,    // MADV_GUARD_INSTALL (Linux 6.13): does not split the mapping
  mprotect,   // splits the mapping: about vm.max_map_count / 2 stacks
  none,       // only on explicit request
};

// Mappings that guards leave to the rest of the program, but at most half of vm.max_map_count.
constexpr std::size_t kReservedMappings = 2048;

// Whether this kernel supports MADV_GUARD_INSTALL and its guards fault; tested once per process.
bool has_madvise_guards() noexcept;

// The kind that is used for `requested`; never automatic.
GuardKind resolve_guard(GuardKind requested) noexcept;

// Installs guards of `size` bytes at first, first + stride, … Returns how many of `count` (at most kMaxMadviseRanges)
// were installed. If fewer than `count`, errno is set: ENOMEM from mprotect means that vm.max_map_count is reached.
std::size_t install_guards(GuardKind kind, std::uint8_t* first, std::size_t stride, std::size_t size,
                           std::size_t count) noexcept;

// `count` guards were unmapped with their mapping.
void release_guard_quota(GuardKind kind, std::size_t count) noexcept;

// The current value of vm.max_map_count.
std::size_t max_map_count() noexcept;

}  // namespace trueasync::detail
