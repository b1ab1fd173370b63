// Runs a work as the main coroutine of a runtime with default options. An error ends the program with code 1, after
// the library has reported it.
#pragma once

#include <cstdlib>
#include <trueasync/trueasync.hpp>
#include <utility>

namespace bench::ours {

template <class F>
void run_in_runtime(F&& work) {
  if (const int code = trueasync::run(std::forward<F>(work)); code != 0) std::exit(code);
}

}  // namespace bench::ours
