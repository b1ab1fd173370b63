// Checks that are on in every build: a broken invariant of ours ends the process with a message, it is never
// carried on with. Failures of the world (no memory, no descriptor, a peer that resets) are values or typed errors.
#pragma once

namespace trueasync::detail {

[[noreturn]] void check_failed(const char* condition, const char* message, const char* file, int line) noexcept;

}  // namespace trueasync::detail

#define TRUEASYNC_CHECK(condition, message)          \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::trueasync::detail::check_failed(#condition, message, __FILE__, __LINE__))
