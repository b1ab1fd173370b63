// select: waits for the first of a channel, a trigger and a timer, and calls its handler.
#include <cstdio>
#include <trueasync/scope/select.hpp>
#include <trueasync/sync/channel.hpp>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

int main() {
  return ta::run([] {
    ta::Channel<int> orders;
    ta::Trigger closing;
    ta::spawn([&] {
      for (int i = 1; i <= 3; ++i) orders.send(i);
      ta::delay(5ms);
      closing.fire();
    });
    for (bool open = true; open;) {
      open = ta::select(ta::on(orders,
                               [](int order) {
                                 std::printf("order %d\n", order);
                                 return true;
                               }),
                        ta::on(closing,
                               [] {
                                 std::puts("closing");
                                 return false;
                               }),
                        ta::on(ta::timeout(1ms), [] {
                          std::puts("no order for 1 ms");
                          return true;
                        }));
    }
  });
}
