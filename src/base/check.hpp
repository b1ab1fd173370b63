// TRUEASYNC_CHECK: aborts with a message if an internal invariant is broken, in every build type. External failures,
// such as lack of memory or a reset connection, are error values or exceptions instead.
#pragma once

namespace trueasync::detail {

[[noreturn]] void check_failed(const char* condition, const char* message, const char* file, int line) noexcept;

}  // namespace trueasync::detail

#define TRUEASYNC_CHECK(condition, message)          \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::trueasync::detail::check_failed(#condition, message, __FILE__, __LINE__))
