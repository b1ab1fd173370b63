// Inspection: a dump of all coroutines and the report of a deadlock. The DeadlockError can be caught.
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    ta::Task<void> left, right;
    left = ta::spawn({.name = "left"}, [&] { ta::await(right); });
    right = ta::spawn({.name = "right"}, [&] { ta::await(left); });
    auto sleeper = ta::spawn({.name = "sleeper"}, [] { ta::delay(2ms); });
    ta::yield();
    std::printf("%s", ta::dump().c_str());
    try {
      ta::await(left);
    } catch (const ta::DeadlockError& error) {
      std::printf("\n%s", error.what());
    }
    left.cancel();
    right.cancel();
    const ta::Statistics statistics = ta::statistics();
    std::printf("\n%zu live coroutines, %llu switches\n", statistics.alive,
                static_cast<unsigned long long>(statistics.switches));
  });
}
