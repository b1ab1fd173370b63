// Fixtures that run a C program of programs.h in a runtime and report its failed condition.
#pragma once

#include "programs.h"
#include "support/reactor_test.hpp"

namespace trueasync::test {

inline ::testing::AssertionResult succeeds(ta_function program) {
  ta_error error = TA_ERROR_INIT;
  const ta_status status = program(nullptr, &error);
  if (status == TA_OK) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "status " << status << ", line or errno " << error.system << ": "
                                       << error.message;
}

// Runs on every reactor.
class CProgram : public ReactorTest {
 protected:
  ::testing::AssertionResult succeeds(ta_function program) {
    return run([&] { return test::succeeds(program); });
  }
};

// For programs that need a real reactor: descriptors, lookups, processes, threads.
class CProgramOnRealReactor : public ::testing::Test {
 protected:
  ::testing::AssertionResult succeeds(ta_function program) {
    Runtime runtime;
    auto result = runtime.run([&] { return test::succeeds(program); });
    expect_no_leaks(runtime);
    return result;
  }
};

}  // namespace trueasync::test
