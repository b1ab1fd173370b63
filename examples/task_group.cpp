// TaskGroup: a concurrency limit and all results. TaskSet: each result is handed out once.
#include <cstdio>
#include <string>
#include <trueasync/scope/task_group.hpp>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    ta::TaskGroup<std::string, std::string> page;
    page.spawn_with_key("user", [] { return ta::delay(3ms), std::string("Anna"); });
    page.spawn_with_key("orders", [] { return ta::delay(1ms), std::string("none yet"); });
    auto parts = ta::await(page.all());
    std::printf("%s: %s\n", parts.at("user").c_str(), parts.at("orders").c_str());

    int running = 0;
    int max_running = 0;
    ta::TaskGroup<void> limited({.concurrency = 5});
    for (int i = 0; i < 50; ++i) {
      limited.spawn([&] {  // suspends while the queue is full
        max_running = std::max(max_running, ++running);
        ta::delay(1ms);
        --running;
      });
    }
    ta::await(limited.all());
    std::printf("%zu tasks, %d at a time\n", limited.count(), max_running);

    ta::TaskSet<int> set;
    for (int i = 1; i <= 3; ++i) set.spawn([i] { return ta::delay(std::chrono::milliseconds(8 - 2 * i)), i; });
    set.spawn([]() -> int { throw std::runtime_error("task failed"); });
    set.close();
    for (auto& [key, result] : set) {
      if (result) {
        std::printf("task %zu returned %d\n", key, result.value());
      } else {
        std::printf("task %zu failed\n", key);
      }
    }
  });
}
