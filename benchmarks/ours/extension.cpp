#include "ours/extension.hpp"

#include <cstdio>
#include <cstdlib>

namespace bench::ours {

void fail(const char* text) {
  std::fprintf(stderr, "%s\n", text);
  std::exit(1);
}

std::string database_target() {
  const char* target = std::getenv("DATABASE");
  if (target == nullptr) fail("the environment variable DATABASE must contain the address of the server");
  return target;
}

}  // namespace bench::ours
