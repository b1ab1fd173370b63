// run(): results, errors and exit codes.
#include <gtest/gtest.h>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Run : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(Run);

TEST_P(Run, ReturnsResultOfMain) {
  EXPECT_EQ(run([] { return std::string("value"); }), "value");
  EXPECT_EQ(*run([] { return std::make_unique<int>(3); }), 3);
  run([] {});
}

TEST_P(Run, RethrowsErrorWithItsType) {
  struct CustomError {
    int value;
  };
  try {
    run([] { throw CustomError{9}; });
    FAIL() << "run() must throw";
  } catch (const CustomError& error) {
    EXPECT_EQ(error.value, 9);
  }
}

TEST_P(Run, RunsRemainingCoroutinesAfterMain) {
  int finished = 0;
  run([&] {
    for (int i = 0; i < 10; ++i) {
      spawn([&, i] {
        delay(i * 1ms);
        spawn([&] { ++finished; });
      });
    }
  });
  EXPECT_EQ(finished, 10);
}

TEST_P(Run, MainRunsOnThreadStack) {
  const char outside = 0;
  run([&] {
    const char inside = 0;
    const auto distance =
        std::abs(reinterpret_cast<std::intptr_t>(&outside) - reinterpret_cast<std::intptr_t>(&inside));
    EXPECT_LT(distance, 1 << 20);
    EXPECT_EQ(current_coroutine().name(), "main");
    EXPECT_EQ(current_coroutine().stack_high_water(), 0u) << "the stack of the thread is not measured";
  });
}

TEST_P(Run, AwaitThrowsErrorWithItsType) {
  run([] {
    auto task = spawn([]() -> int { throw std::system_error(std::make_error_code(std::errc::timed_out)); });
    EXPECT_THROW(await(task), std::system_error);
    EXPECT_THROW(await(task), std::system_error) << "an lvalue task may be awaited again";
  });
}

TEST(ExitCode, IsResultOfMainOrZero) {
  EXPECT_EQ(trueasync::run([] { return 5; }), 5);
  EXPECT_EQ(trueasync::run([] {}), 0);
  EXPECT_EQ(trueasync::run([] { return std::string("no number"); }), 0);
  EXPECT_EQ(trueasync::run(RuntimeOptions{.stack_size = 128 * 1024}, [] { return 6; }), 6);
}

// SHU-01
TEST(ExitCode, IsZeroAfterShutdownRequest) {
  EXPECT_EQ(trueasync::run([] {
              spawn([] { shut_down(); });
              delay(24h);
              return 7;
            }),
            0);
}

TEST(Dump, ShowsCoroutinesWithLocations) {
  Runtime runtime;
  runtime.run([] {
    auto task = spawn({.name = "sleeper"}, [] { delay(24h); });
    yield();
    const std::string text = dump();
    EXPECT_NE(text.find("\"main\": running"), std::string::npos) << text;
    EXPECT_NE(text.find("\"sleeper\": suspended"), std::string::npos) << text;
    EXPECT_NE(text.find("run_test.cpp:"), std::string::npos) << text;
    EXPECT_EQ(coroutines().size(), 2u);
    EXPECT_EQ(coroutines()[1], task.coroutine());
    task.cancel();
  });
}

}  // namespace
}  // namespace trueasync::test
