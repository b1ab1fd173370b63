// Threads: a trigger wakes a coroutine from another thread, and every thread can have its own runtime.
#include <atomic>
#include <cstdio>
#include <thread>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    ta::Trigger done;
    std::atomic<long> sum = 0;
    std::thread worker([&] {
      for (int i = 1; i <= 1000; ++i) sum += i;  // CPU work that would block the runtime
      done.fire();
    });
    done.wait();  // other coroutines continue to run
    std::printf("the worker computed %ld\n", sum.load());
    worker.join();

    std::atomic<int> total = 0;
    std::thread other([&] {
      ta::run([&] {
        for (int i = 0; i < 10; ++i) {
          ta::spawn([&] {
            ta::delay(1ms);
            ++total;
          });
        }
      });
    });
    other.join();
    std::printf("the other runtime ran %d coroutines\n", total.load());
  });
}
