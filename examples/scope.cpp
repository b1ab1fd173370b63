// Scopes: coroutines that start, fail and end together, and a deadline for all of them.
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

void join_all() {
  int left = 0;
  int right = 0;
  ta::TaskScope tasks;  // can't leave a coroutine behind: left and right outlive them all
  tasks.spawn([&] { left = 20; });
  tasks.spawn([&] { right = 22; });
  tasks.join();
  std::printf("together: %d\n", left + right);
}

void fail_together() {
  ta::TaskScope tasks;
  tasks.spawn([] {
    try {
      ta::delay(1h);
    } catch (const ta::Cancelled&) {
      std::printf("sibling: cancelled\n");
      throw;
    }
  });
  tasks.spawn([] { throw std::runtime_error("no answer"); });
  try {
    tasks.join();
  } catch (const std::runtime_error& error) {
    std::printf("join: %s\n", error.what());
  }
}

void supervise() {
  ta::Scope workers = ta::Scope::inherit();
  workers.set_exception_handler([](const std::exception_ptr&, const ta::Coroutine& from) {
    std::printf("supervisor: %s failed\n", from.name().data());
  });
  workers.finally([] { std::printf("finally: all workers are gone\n"); });
  workers.spawn({.name = "parser"}, [] { throw std::runtime_error("bad input"); });
  workers.spawn({.name = "writer"}, [] {
    ta::delay(1ms);
    std::printf("writer: done\n");
  });
  workers.await_completion();
  workers.dispose();
}

void obey_a_deadline() {
  ta::Scope request = ta::Scope::inherit();
  request.set_timeout(5ms);
  auto answer = request.spawn([] {
    ta::delay(1h);  // any wait, however deep below
    return 42;
  });
  try {
    ta::await(answer);
  } catch (const ta::DeadlineError&) {
    std::printf("deadline: passed\n");
  }
}

}  // namespace

int main() {
  return ta::run([] {
    join_all();
    fail_together();
    supervise();
    obey_a_deadline();
  });
}
