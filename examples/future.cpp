// A promise is completed once; its futures can be awaited any number of times and chained.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    ta::Promise<int> promise;
    ta::Future<int> answer = promise.future();

    auto text = answer.map([](int value) { return "the answer is " + std::to_string(value); });
    auto safe = answer
                    .map([](int value) -> int {
                      if (value == 42) throw std::runtime_error("unexpected value");
                      return value;
                    })
                    .catch_error([](std::exception_ptr) { return 0; })
                    .finally([] { std::puts("chained callbacks may suspend"); });

    ta::spawn([promise = std::move(promise)] {
      ta::delay(5ms);
      promise.complete(42);
    });

    try {
      ta::await(answer, ta::timeout(1ms));
    } catch (const ta::OperationCancelled&) {
      std::puts("timed out: not completed yet");
    }
    std::printf("%s\n", ta::await(text).c_str());
    std::printf("safe: %d\n", ta::await(safe));

    auto broken = ta::Promise<int>().future();
    try {
      ta::await(broken);
    } catch (const ta::BrokenPromiseError& error) {
      std::printf("%s\n", error.what());
    }
  });
}
