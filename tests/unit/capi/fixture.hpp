// Runs a C program of programs.h inside a runtime, and says what it did not find.
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

// On both reactors.
class CProgram : public ReactorTest {
 protected:
  ::testing::AssertionResult succeeds(ta_function program) {
    return run([&] { return test::succeeds(program); });
  }
};

// With what only a real loop has: descriptors, names, processes, threads.
class CProgramOutside : public ::testing::Test {
 protected:
  ::testing::AssertionResult succeeds(ta_function program) {
    Runtime runtime;
    auto result = runtime.run([&] { return test::succeeds(program); });
    expect_no_leaks(runtime);
    return result;
  }
};

}  // namespace trueasync::test
