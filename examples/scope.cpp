// Scopes: coroutines that finish and fail together, a scope with an exception handler, and a deadline.
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
  ta::TaskScope tasks;  // its coroutines finish before left and right are destroyed
  tasks.spawn([&] { left = 20; });
  tasks.spawn([&] { right = 22; });
  tasks.join();
  std::printf("sum: %d\n", left + right);
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
  workers.finally([] { std::printf("finally: all workers have finished\n"); });
  workers.spawn({.name = "parser"}, [] { throw std::runtime_error("bad input"); });
  workers.spawn({.name = "writer"}, [] {
    ta::delay(1ms);
    std::printf("writer: done\n");
  });
  workers.await_completion();
  workers.dispose();
}

void exceed_deadline() {
  ta::Scope request = ta::Scope::inherit();
  request.set_timeout(5ms);
  auto answer = request.spawn([] {
    ta::delay(1h);  // any wait, at any call depth
    return 42;
  });
  try {
    ta::await(answer);
  } catch (const ta::DeadlineError&) {
    std::printf("deadline: exceeded\n");
  }
}

}  // namespace

int main() {
  return ta::run([] {
    join_all();
    fail_together();
    supervise();
    exceed_deadline();
  });
}
