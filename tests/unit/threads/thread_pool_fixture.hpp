// What tests of a thread pool share: a job that keeps its worker busy until the test opens the door.
#pragma once

#include <atomic>
#include <functional>
#include <semaphore>
#include <thread>

#include "support/reactor_test.hpp"

namespace trueasync::test {

class Pool : public ReactorTest {
 protected:
  // Keeps one worker busy until door.release().
  auto block() {
    return [this] {
      ++inside;
      door.acquire();
    };
  }
  static void until(const std::function<bool()>& condition) {
    while (!condition()) {
      std::this_thread::yield();
      yield();
    }
  }
  std::counting_semaphore<> door{0};
  std::atomic<int> inside{0};
};

}  // namespace trueasync::test
