#include "parity.hpp"

namespace trueasync::test {

TEST_P(BlockingParity, ResultsAndErrnoMatchOriginal) {
  Log expected;
  std::thread([&] { GetParam().run(expected); }).join();
  Log replaced;
  blocking::enable({"blocking_calls"});
  {
    Runtime runtime;
    runtime.run([&] { await(spawn({.stack_size = 512 * 1024}, [&] { GetParam().run(replaced); })); });
    expect_no_leaks(runtime);
  }
  blocking::disable();
  EXPECT_EQ(expected, replaced);
}

}  // namespace trueasync::test
