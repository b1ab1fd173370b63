// run_main(): runs a function in a new runtime and reports unhandled errors on stderr instead of throwing.
#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/runtime.hpp"

namespace trueasync {

namespace {

std::string current_exception_text() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  int status = 0;
  char* demangled = type ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
  std::string text = demangled ? demangled : "unknown exception";
  std::free(demangled);
  try {
    throw;
  } catch (const std::exception& error) {
    return text + ": " + error.what();
  } catch (const Cancelled& cancelled) {
    return text + ": " + cancelled.what();
  } catch (...) {
    return text;
  }
}

void set_origin(Runtime& runtime, std::string& origin) {
  if (auto& text = detail::Access::scheduler(runtime).failure_origin(); !text.empty()) origin = text;
}

}  // namespace

int run_main(const RuntimeOptions& options, const std::function<int()>& function, SourceLocation location) noexcept {
  std::string origin = "main";
  try {
    Runtime runtime(options);
    try {
      return runtime.run(function, location);
    } catch (const Cancelled& cancelled) {
      const bool is_from_main = detail::Access::scheduler(runtime).failure_origin().empty();
      if (cancelled.is_own() || (is_from_main && detail::Access::scheduler(runtime).was_cancelled_before_failure()))
        return 0;  // a requested cancellation is a normal end
      set_origin(runtime, origin);
      throw;
    } catch (...) {
      set_origin(runtime, origin);
      throw;
    }
  } catch (...) {
    std::fprintf(stderr, "trueasync: unhandled %s\n  in %s\n", current_exception_text().c_str(), origin.c_str());
    return 1;
  }
}

}  // namespace trueasync
