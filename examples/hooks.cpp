// Microtasks run before the next switch, in the current coroutine's context. Switch handlers follow one coroutine.
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
      const char* what = kind == ta::SwitchKind::enter ? "enters" : kind == ta::SwitchKind::leave ? "leaves" : "ends";
      std::printf("%s %s\n", std::string(coroutine.name()).c_str(), what);
      return true;  // keep it
    });
    auto other = ta::spawn([] { std::puts("somebody else"); });
    ta::queue_microtask([] { std::puts("a microtask, before anybody else runs"); });
    ta::await(task);
    ta::await(other);
  });
}
