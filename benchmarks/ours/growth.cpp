#include "support/growth.hpp"

#include <chrono>
#include <trueasync/trueasync.hpp>
#include <utility>

#include "ours/in_runtime.hpp"
#include "ours/workloads.hpp"

namespace ta = trueasync;

namespace bench::ours {
namespace {

struct OurRuntime {
  using Handle = ta::Task<void>;

  template <class F>
  Handle spawn(F function) {
    return ta::spawn(std::move(function));
  }
  void join(Handle& handle) { ta::await(handle); }
  void yield() { ta::yield(); }
  void sleep(std::chrono::microseconds time) { ta::delay(time); }
};

void run_growth(void (*measure)(OurRuntime&)) {
  run_in_runtime([measure] {
    OurRuntime runtime;
    measure(runtime);
    exit_without_teardown();
  });
}

}  // namespace

void growth_spawn(std::uint64_t) { run_growth(&bench::growth_spawn<OurRuntime>); }
void growth_yield(std::uint64_t) { run_growth(&bench::growth_yield<OurRuntime>); }
void growth_timer(std::uint64_t) { run_growth(&bench::growth_timer<OurRuntime>); }

}  // namespace bench::ours
