// ThreadPoolTest: a job that blocks its worker until the test opens the gate.
#pragma once

#include <atomic>
#include <functional>
#include <semaphore>
#include <thread>

#include "support/reactor_test.hpp"

namespace trueasync::test {

class ThreadPoolTest : public ReactorTest {
 protected:
  // A job that blocks its worker until gate.release().
  auto block() {
    return [this] {
      ++blocked;
      gate.acquire();
    };
  }
  static void wait_until(const std::function<bool()>& condition) {
    while (!condition()) {
      std::this_thread::yield();
      yield();
    }
  }
  std::counting_semaphore<> gate{0};
  std::atomic<int> blocked{0};  // number of jobs that have reached the gate
};

}  // namespace trueasync::test
