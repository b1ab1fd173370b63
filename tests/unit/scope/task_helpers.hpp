// Tasks with a delayed result, for the tests of the await functions.
#pragma once

#include "support/reactor_test.hpp"

namespace trueasync::test {

inline Task<int> after(std::chrono::milliseconds time, int value) {
  return spawn([=] {
    delay(time);
    return value;
  });
}

inline Task<int> failing_after(std::chrono::milliseconds time, const char* text = "failed") {
  return spawn([=]() -> int {
    delay(time);
    throw std::runtime_error(text);
  });
}

inline std::string error_text(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return caught.what();
  } catch (const Cancelled& caught) {
    return caught.what();
  }
}

template <class... T>
std::vector<Task<int>> list(T... tasks) {
  std::vector<Task<int>> all;
  (all.push_back(std::move(tasks)), ...);
  return all;
}

}  // namespace trueasync::test
