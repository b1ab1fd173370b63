#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace trueasync::detail {

void check_failed(const char* condition, const char* message, const char* file, int line) noexcept {
  std::fprintf(stderr, "trueasync: internal check failed: %s (%s) at %s:%d\n", message, condition, file, line);
  std::abort();
}

}  // namespace trueasync::detail
