#include "ours/extension.hpp"

#include <cstdio>
#include <cstdlib>

namespace bench::ours {

void give_up(const char* text) {
  std::fprintf(stderr, "%s\n", text);
  std::exit(1);
}

std::string database_target() {
  const char* target = std::getenv("DATABASE");
  if (target == nullptr) give_up("DATABASE must say where the server is");
  return target;
}

}  // namespace bench::ours
