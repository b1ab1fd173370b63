// RuntimeTest: runs tests in a runtime with the epoll reactor and checks that no coroutines, events, timers,
// descriptors or zombies leak.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "context/sanitizer.hpp"
#include "support/open_descriptors.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {

using namespace std::chrono_literals;

// A timeout that expires only if a wake-up is lost.
inline constexpr std::chrono::seconds kNever{30};

class RuntimeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Runtime().run([] {});  // libuv keeps some descriptors open for the process after its first use
    before_ = open_descriptors();
  }
  void TearDown() override {
    EXPECT_EQ(open_descriptors(), before_);
    const int child = ::waitpid(-1, nullptr, WNOHANG);
    EXPECT_EQ(child, -1) << "a child was not reaped";
    EXPECT_EQ(errno, ECHILD);
  }

  template <class F>
  auto run(F&& function, RuntimeOptions options = {}) {
    Runtime runtime(std::move(options));
    struct Check {
      Runtime& runtime;
      ~Check() { expect_no_leaks(runtime); }
    } check{runtime};
    return runtime.run(std::forward<F>(function));
  }

  // For objects that outlive the runtime: expects `events` events in the leak report.
  template <class F>
  void run_leaving(std::size_t events, F&& function) {
    Runtime runtime;
    runtime.run(std::forward<F>(function));
    EXPECT_EQ(runtime.leak_report().events, events);
  }

 private:
  std::vector<std::string> before_;
};

template <class E, class F>
std::string text_of_thrown(F&& function) {
  try {
    function();
  } catch (const E& error) {
    return error.what();
  }
  return "no exception";
}

}  // namespace trueasync::test

#if defined(TRUEASYNC_TSAN)
#define SKIP_WHERE_SIGNALS_STICK_TO_FIBERS() \
  GTEST_SKIP() << "ThreadSanitizer delays a signal until the fiber that received it makes an intercepted call"
#else
#define SKIP_WHERE_SIGNALS_STICK_TO_FIBERS() static_cast<void>(0)
#endif
