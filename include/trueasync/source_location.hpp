// SourceLocation: file and line in one word, small enough to pass and store for every suspension. In C++ a default
// argument captures the caller's location; a host passes file and line of its script. std::source_location is not used:
// clang 14 lacks it, and a host cannot create one.
//
// Lifetime: the text of the file name must stay valid until the program ends (a literal or an interned string).
// Thread safety: a plain value.
#pragma once

#include <cstdint>

namespace trueasync {

class SourceLocation {
 public:
  constexpr SourceLocation() noexcept = default;
  SourceLocation(const char* file, unsigned line) noexcept
      : bits_(reinterpret_cast<std::uint64_t>(file) |
              (static_cast<std::uint64_t>(line < kLastLine ? line : kLastLine) << kLineShift)) {}

  // As a default argument: the location of the call.
  static SourceLocation current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) noexcept {
    return SourceLocation(file, line);
  }

  // Null and 0 if unknown.
  const char* file() const noexcept { return reinterpret_cast<const char*>(bits_ & ((1ULL << kLineShift) - 1)); }
  unsigned line() const noexcept { return static_cast<unsigned>(bits_ >> kLineShift); }
  explicit operator bool() const noexcept { return bits_ != 0; }

 private:
  // User addresses have at most 48 bits on x86-64 and aarch64; the line number uses the rest.
  static constexpr unsigned kLineShift = 48;
  static constexpr unsigned kLastLine = 0xffff;

  std::uint64_t bits_ = 0;
};

}  // namespace trueasync
