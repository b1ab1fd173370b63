// Microtasks run before the next switch, in the context of the current coroutine. A switch handler is called at every
// switch of one coroutine.
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;

int main() {
  return ta::run([] {
    auto task = ta::spawn({.name = "watched"}, [] {
      std::puts("  working");
      ta::yield();
      std::puts("  working again");
    });
    ta::add_switch_handler(task.coroutine(), [](const ta::Coroutine& coroutine, ta::SwitchKind kind) {
      const char* action = kind == ta::SwitchKind::enter ? "enters" : kind == ta::SwitchKind::leave ? "leaves" : "ends";
      std::printf("%s %s\n", std::string(coroutine.name()).c_str(), action);
      return true;  // keep the handler
    });
    auto other = ta::spawn([] { std::puts("another coroutine"); });
    ta::queue_microtask([] { std::puts("a microtask, before the next switch"); });
    ta::await(task);
    ta::await(other);
  });
}
