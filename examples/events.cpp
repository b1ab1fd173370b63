// Events: a user-defined event, a timer and a coroutine in one wait. The first event that fires ends the wait; all events
// are then unsubscribed and stopped.
#include <cstdio>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

class Door : public ta::Event {
 public:
  void open() {
    open_ = true;
    notify({});
  }
  bool replay(ta::Notification&) const noexcept override { return open_; }  // for waiters that subscribe later
  std::string describe() const override { return "door"; }

 private:
  bool open_ = false;
};

int main() {
  return ta::run([] {
    auto door = ta::Ref<Door>::adopt(new Door);
    auto slow = ta::spawn([] { ta::delay(50ms); });
    ta::spawn([door] {
      ta::delay(5ms);
      door->open();
    });

    ta::Timeout timeout(30ms);
    ta::Event* events[] = {&timeout.event(), &slow.event(), door.get()};
    std::printf("event %zu fired first: %s\n", ta::wait_any(events), events[2]->describe().c_str());

    ta::Event* both[] = {&slow.event(), door.get()};
    ta::wait_all(both);
    std::puts("all events fired");

    try {
      auto locked = ta::Ref<Door>::adopt(new Door);
      ta::Event* never[] = {locked.get()};
      ta::wait_any(never, 2ms);
    } catch (const ta::TimeoutError& error) {
      std::printf("%s\n", error.what());
    }
  });
}
