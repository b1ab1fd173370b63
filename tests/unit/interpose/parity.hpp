// Parity tests: each scenario runs with the original calls on a plain thread and with the replaced calls in a
// coroutine. Results and errno must be equal. Each family of calls has its own file of scenarios.
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

// Runs a function on another thread after a short delay, when the scenario usually waits already.
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
