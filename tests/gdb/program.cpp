// Coroutines in every state, on two threads. The debugger stops in breakpoint_location().
#include <chrono>
#include <thread>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

[[gnu::noinline]] void breakpoint_location() { asm volatile("" ::: "memory"); }

// The empty asm after each call prevents a tail call, which would remove the frame.
[[gnu::noinline]] void read_row(ta::Trigger& data, int row_number) {
  data.wait();
  asm volatile("" ::"r"(row_number) : "memory");
}

[[gnu::noinline]] void read_table(ta::Trigger& data, int depth) {
  if (depth > 0) {
    read_table(data, depth - 1);
  } else {
    read_row(data, 42);
  }
  asm volatile("" ::"r"(depth) : "memory");
}

[[gnu::noinline]] void nap() {
  ta::delay(1h);
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void call_nap() {
  nap();
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void yield_forever() {
  for (;;) ta::yield();
}

[[gnu::noinline]] void spawn_and_stop() {
  ta::spawn({.name = "unstarted"}, nap);
  breakpoint_location();
  asm volatile("" ::: "memory");
}

// The main coroutine of the other thread.
[[gnu::noinline]] void serve(ta::Trigger& is_ready, ta::Trigger*& stop_trigger) {
  ta::Trigger stop;
  stop_trigger = &stop;
  auto remote = ta::spawn({.name = "remote"}, call_nap);
  ta::spawn([&] { is_ready.fire(); });
  stop.wait();
  remote.cancel();
}

void cancel_all_others() {
  for (const ta::Coroutine& coroutine : ta::coroutines()) {
    if (coroutine != ta::current_coroutine()) coroutine.cancel();
  }
}

}  // namespace

int main() {
  return ta::run([] {
    ta::Trigger data, server_is_ready;
    ta::Trigger* stop_server = nullptr;
    std::thread server([&] { ta::run([&] { serve(server_is_ready, stop_server); }); });
    server_is_ready.wait();
    ta::spawn({.name = "reader"}, [&] { read_table(data, 2); });
    ta::spawn({.name = "sleeper"}, call_nap);
    ta::spawn({.name = "yielder"}, yield_forever);
    ta::spawn(nap);  // unnamed
    ta::yield();
    ta::await(ta::spawn({.name = "stopper"}, spawn_and_stop));
    cancel_all_others();
    stop_server->fire();
    server.join();
  });
}
