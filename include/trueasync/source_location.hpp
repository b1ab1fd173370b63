// SourceLocation: file and line in one word, small enough to pass and keep for every suspension. In C++ it is the caller's place,
// taken by a default argument; a host gives file and line of its script. The file's text must live as long as the
// program does (a literal, an interned string). Not std::source_location: clang 14 has none, and no host could make one.
#pragma once

#include <cstdint>

namespace trueasync {

class SourceLocation {
 public:
  constexpr SourceLocation() noexcept = default;
  SourceLocation(const char* file, unsigned line) noexcept
      : bits_(reinterpret_cast<std::uint64_t>(file) |
              (static_cast<std::uint64_t>(line < kLastLine ? line : kLastLine) << kLineShift)) {}

  // As the default of a parameter: the place of the call.
  static SourceLocation current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) noexcept {
    return SourceLocation(file, line);
  }

  // Null and 0 for no place at all.
  const char* file() const noexcept { return reinterpret_cast<const char*>(bits_ & ((1ULL << kLineShift) - 1)); }
  unsigned line() const noexcept { return static_cast<unsigned>(bits_ >> kLineShift); }
  explicit operator bool() const noexcept { return bits_ != 0; }

 private:
  // User addresses have at most 48 bits on x86-64 and aarch64; the line gets the rest.
  static constexpr unsigned kLineShift = 48;
  static constexpr unsigned kLastLine = 0xffff;

  std::uint64_t bits_ = 0;
};

}  // namespace trueasync
