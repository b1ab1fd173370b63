// Each scenario runs twice: plainly on a thread of its own, and in a coroutine with the calls replaced. What the calls
// return, and errno, must be the same. A file per family of calls has its scenarios.
#pragma once

#include <thread>

#include "fixture.hpp"

namespace trueasync::test {

using Log = std::vector<std::string>;

struct Scenario {
  const char* name;
  void (*run)(Log& log);
};

inline std::string scenario_name(const ::testing::TestParamInfo<Scenario>& info) { return info.param.name; }

class BlockingParity : public ::testing::TestWithParam<Scenario> {};

// Does something from another thread a little later: what it waits for is under way then, mostly.
class Later {
 public:
  template <class F>
  explicit Later(F function)
      : thread_([function] {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          function();
        }) {}
  ~Later() { thread_.join(); }

 private:
  std::thread thread_;
};

}  // namespace trueasync::test
