// A thousand jobs run concurrently, and another coroutine reports their progress.
#include <cstdio>
#include <trueasync/sync/channel.hpp>
#include <trueasync/trueasync.hpp>
#include <vector>

namespace ta = trueasync;
using namespace std::chrono_literals;

constexpr int kJobs = 1000;

int main() {
  return ta::run([] {
    ta::Channel<int> done(kJobs);
    std::vector<ta::Task<int>> jobs;
    for (int i = 0; i < kJobs; ++i) {
      jobs.push_back(ta::spawn([&done, i] {
        ta::delay((1 + i % 100) * 1ms);  // for example a request to a server
        done.send(i);
        return i;
      }));
    }
    auto progress = ta::spawn([&done] {
      for (int count = 1; count <= kJobs; ++count) {
        done.recv();
        if (count % 250 == 0) std::printf("%d of %d\n", count, kJobs);
      }
    });

    const auto started = std::chrono::steady_clock::now();
    int sum = 0;
    for (auto& job : jobs) sum += ta::await(job);
    ta::await(progress);
    const bool is_concurrent = std::chrono::steady_clock::now() - started < 5s;
    std::printf("sum %d, %s\n", sum, is_concurrent ? "concurrently" : "sequentially");
  });
}
