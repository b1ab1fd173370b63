// A libuv reactor, and the check that it closes with nothing left.
#pragma once

#include <gtest/gtest.h>

#include "reactor/uv/uv_reactor.hpp"
#include "support/descriptor.hpp"
#include "told.hpp"

namespace trueasync::test {

using namespace std::chrono_literals;
using detail::kPollError;
using detail::kPollReadable;
using detail::kPollWritable;
using Values = std::vector<std::uintptr_t>;

class UvReactorTest : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(reactor_.liveness().visible + reactor_.liveness().hidden, 0u);
    EXPECT_EQ(reactor_.deadlines().size(), 0u);
    EXPECT_TRUE(reactor_.polls().empty());
    EXPECT_TRUE(reactor_.signals().empty());
    EXPECT_EQ(reactor_.close(), std::vector<std::string>{});
  }

  // Enough turns for everything that is ready now; nothing here blocks.
  void settle() {
    for (int i = 0; i < 3; ++i) reactor_.execute(true);
  }

  detail::UvReactor reactor_;
};

}  // namespace trueasync::test
