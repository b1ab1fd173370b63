#include "support/pool.hpp"

#include <trueasync/pool/pool.hpp>
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
};

// ta::Pool with default options.
class OurPool {
 public:
  explicit OurPool(std::uint64_t resources)
      : pool_({.factory = [] { return std::uint64_t{0}; }, .min = resources, .max = resources}) {}
  ta::Lease<std::uint64_t> acquire() { return pool_.acquire(); }

 private:
  ta::Pool<std::uint64_t> pool_;
};

template <class F>
void with_runtime(F&& workload) {
  run_in_runtime([&] {
    OurRuntime runtime;
    workload(runtime);
  });
}

}  // namespace

void pool_alone(std::uint64_t) { with_runtime(bench::pool_alone<OurRuntime, OurPool>); }
void pool_shared(std::uint64_t users) {
  with_runtime([users](OurRuntime& runtime) { bench::pool_shared<OurRuntime, OurPool>(runtime, users); });
}
void pool_waiters(std::uint64_t) { with_runtime(bench::pool_waiters<OurRuntime, OurPool>); }

}  // namespace bench::ours
