// Coroutines in every state, on two threads. Whoever debugs it stops in everything_is_in_place().
#include <chrono>
#include <thread>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

[[gnu::noinline]] void everything_is_in_place() { asm volatile("" ::: "memory"); }

// The empty asm after each call keeps it from becoming a jump: the frame has to stay.
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

[[gnu::noinline]] void take_a_long_rest() {
  nap();
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void stand_in_line() {
  for (;;) ta::yield();
}

[[gnu::noinline]] void look_around() {
  ta::spawn({.name = "unborn"}, nap);
  everything_is_in_place();
  asm volatile("" ::: "memory");
}

// The main coroutine of the other thread.
[[gnu::noinline]] void serve(ta::Trigger& is_ready, ta::Trigger*& wake_up) {
  ta::Trigger stop;
  wake_up = &stop;
  auto remote = ta::spawn({.name = "remote"}, take_a_long_rest);
  ta::spawn([&] { is_ready.fire(); });
  stop.wait();
  remote.cancel();
}

void cancel_the_others() {
  for (const ta::Coroutine& coroutine : ta::coroutines()) {
    if (coroutine != ta::current()) coroutine.cancel();
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
    ta::spawn({.name = "sleeper"}, take_a_long_rest);
    ta::spawn({.name = "queuer"}, stand_in_line);
    ta::spawn(nap);  // has no name
    ta::yield();
    ta::await(ta::spawn({.name = "looker"}, look_around));
    cancel_the_others();
    stop_server->fire();
    server.join();
  });
}
