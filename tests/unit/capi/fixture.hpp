// Runs a C program of programs.h inside a runtime, and says what it did not find.
#pragma once

#include "programs.h"
#include "support/worlds.hpp"

namespace trueasync::test {

inline ::testing::AssertionResult ends_well(ta_call program) {
  ta_error error = TA_ERROR_INIT;
  const ta_status status = program(nullptr, &error);
  if (status == TA_OK) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "status " << status << ", line or errno " << error.system << ": "
                                       << error.message;
}

// On both reactors.
class CProgram : public OnBothWorlds {
 protected:
  ::testing::AssertionResult ends_well(ta_call program) {
    return run([&] { return test::ends_well(program); });
  }
};

// With what only a real loop has: descriptors, names, processes, threads.
class CProgramOutside : public ::testing::Test {
 protected:
  ::testing::AssertionResult ends_well(ta_call program) {
    Runtime runtime;
    auto result = runtime.run([&] { return test::ends_well(program); });
    expect_nothing_left(runtime);
    return result;
  }
};

}  // namespace trueasync::test
