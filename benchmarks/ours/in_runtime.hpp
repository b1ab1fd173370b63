// Runs a function as the main coroutine of a runtime with default options. If it throws, the library reports the error and
// the program exits with code 1.
#pragma once

#include <cstdlib>
#include <trueasync/trueasync.hpp>
#include <utility>

namespace bench::ours {

template <class F>
void run_in_runtime(F&& function) {
  if (const int code = trueasync::run(std::forward<F>(function)); code != 0) std::exit(code);
}

}  // namespace bench::ours
