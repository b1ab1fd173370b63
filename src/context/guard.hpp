// Guards: memory below a stack that faults when it is touched, so that an overflow can not reach a neighbour (XC-07).
//
// Two ways to make one. MADV_GUARD_INSTALL (Linux 6.13) marks pages inside a mapping. mprotect splits the mapping, so
// each guard costs two of the mappings vm.max_map_count allows (XC-08): we count them over the whole process and leave
// kMapReserve to the program. Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trueasync::detail {

enum class GuardKind : std::uint8_t {
  automatic,  // madvise where the kernel has it, otherwise mprotect; never none
  madvise,    // MADV_GUARD_INSTALL (Linux 6.13): does not split the mapping
  mprotect,   // splits the mapping: about vm.max_map_count / 2 stacks
  none,       // only because the program asked for it
};

// Mappings that guards leave to the rest of the program (at most half of what there is).
constexpr std::size_t kReservedMappings = 2048;

// Whether this kernel has guards that really fault; tried once.
bool has_madvise_guards() noexcept;

// What `asked` means here: never automatic.
GuardKind resolve_guard(GuardKind asked) noexcept;

// Guards of `size` bytes at first, first + stride, … Returns how many of `count` (at most kAdviseBatch) it made; when
// not all, errno says why: ENOMEM from mprotect is vm.max_map_count.
std::size_t install_guards(GuardKind kind, std::uint8_t* first, std::size_t stride, std::size_t size,
                           std::size_t count) noexcept;

// `count` guards are gone with their mapping.
void release_guard_quota(GuardKind kind, std::size_t count) noexcept;

// vm.max_map_count as it is now.
std::size_t max_map_count() noexcept;

}  // namespace trueasync::detail
