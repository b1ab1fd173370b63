// Workers receive jobs from one channel and send results to another.
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    ta::Channel<int> jobs;         // capacity 0: send() returns when a worker has the job
    ta::Channel<int> results(10);  // buffers up to ten results

    ta::WaitGroup workers;
    for (int i = 0; i < 3; ++i) {
      ta::spawn([=, member = workers.member()] {
        for (int job : jobs) {
          ta::delay(1ms);
          results.send(job * job);
        }
      });
    }
    ta::spawn([&, results] {
      workers.wait();
      results.close();
    });
    ta::spawn([=] {
      for (int i = 1; i <= 10; ++i) jobs.send(i);
      jobs.close();
    });

    int sum = 0;
    for (int result : results) sum += result;
    std::printf("sum of squares: %d\n", sum);

    try {
      jobs.send(11);
    } catch (const ta::ChannelError& error) {
      std::printf("%s\n", error.what());
    }
    ta::Channel<int> unused;
    try {
      unused.recv(2ms);
    } catch (const ta::TimeoutError&) {
      std::puts("recv: timed out");
    }
  });
}
