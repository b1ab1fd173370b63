// Everything that can be awaited is an event – also what you add. A door that opens once, waited for together with a
// timer and a coroutine; the first that fires wins, the others are unsubscribed and stopped by then.
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
  bool replay(ta::Notification&) const noexcept override { return open_; }  // late comers need not wait
  std::string describe() const override { return "a door"; }

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

    ta::Timeout patience(30ms);
    ta::Event* events[] = {&patience.event(), &slow.event(), door.get()};
    std::printf("number %zu was first: %s\n", ta::wait_any(events), events[2]->describe().c_str());

    ta::Event* both[] = {&slow.event(), door.get()};
    ta::wait_all(both);
    std::puts("all of them");

    try {
      auto locked = ta::Ref<Door>::adopt(new Door);
      ta::Event* never[] = {locked.get()};
      ta::wait_any(never, 2ms);
    } catch (const ta::TimeoutError& error) {
      std::printf("%s\n", error.what());
    }
  });
}
