// Concurrent iteration: at most three calls at a time; the first error stops the iteration. If no call suspends, no
// coroutine is created.
#include <cstdio>
#include <string>
#include <trueasync/scope/iterate.hpp>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  ta::Runtime runtime;
  runtime.run([&] {
    std::vector<int> numbers(1000, 1);
    int sum = 0;
    ta::iterate(numbers, [&](int number) { sum += number; });
    std::printf("%d elements, %zu coroutines\n", sum, static_cast<std::size_t>(runtime.statistics().spawned));

    int running = 0;
    int max_running = 0;
    ta::iterate(std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"},
                [&](const std::string&) {
                  max_running = std::max(max_running, ++running);
                  ta::delay(2ms);
                  --running;
                },
                {.concurrency = 3});
    std::printf("%d at a time\n", max_running);

    try {
      ta::iterate(std::vector{1, 2, 3}, [](int number) {
        ta::delay(number == 2 ? 1ms : 1h);
        throw std::runtime_error("number " + std::to_string(number) + " is bad");
      });
    } catch (const std::runtime_error& error) {
      std::printf("%s\n", error.what());
    }
  });
}
