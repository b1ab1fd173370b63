#include "context/valgrind.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace trueasync::detail {
namespace {

// LD_PRELOAD shows valgrind independently of the library: valgrind adds its own objects to it.
bool has_valgrind_preload() {
  const char* preload = std::getenv("LD_PRELOAD");
  return preload != nullptr && std::string_view(preload).find("vgpreload") != std::string_view::npos;
}

// CTX-06: any build recognizes valgrind, also one that was compiled where valgrind's headers were not installed.
TEST(Valgrind, IsRecognizedAtRunTime) { EXPECT_EQ(running_on_valgrind(), has_valgrind_preload()); }

TEST(Valgrind, RequestsHaveNoEffectOutsideValgrind) {
  if (running_on_valgrind()) GTEST_SKIP() << "runs under valgrind";
  alignas(16) char stack[64] = {1};
  EXPECT_EQ(valgrind_register_stack(stack, stack + sizeof stack), 0u);
  valgrind_open_frame(stack + 32);
  valgrind_suppress_errors(true);
  valgrind_suppress_errors(false);
  valgrind_deregister_stack(0);
  EXPECT_EQ(stack[0], 1);
}

}  // namespace
}  // namespace trueasync::detail
