// Two threads and two eventfds, one of them polled with epoll: the minimum for an event loop that another thread wakes.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <thread>

#include "ping_pong.hpp"
#include "support/harness.hpp"

namespace baseline {

void measure_ping_pong(std::uint64_t) {
  const std::uint64_t count = bench::operations_or(100'000);
  const int ping = ::eventfd(0, 0);
  const int pong = ::eventfd(0, EFD_NONBLOCK);
  const int loop = ::epoll_create1(0);
  epoll_event interest{};
  interest.events = EPOLLIN;
  ::epoll_ctl(loop, EPOLL_CTL_ADD, pong, &interest);
  std::thread other([=] {
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (::read(ping, &value, sizeof value) != sizeof value || ::write(pong, &value, sizeof value) < 0) return;
    }
  });
  const bench::Stopwatch watch;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t value = 1;
    if (::write(ping, &value, sizeof value) != sizeof value) break;
    epoll_event ready{};
    if (::epoll_wait(loop, &ready, 1, -1) != 1 || ::read(pong, &value, sizeof value) != sizeof value) break;
  }
  bench::report(watch.elapsed_ns() / static_cast<double>(count));
  other.join();
  for (int fd : {ping, pong, loop}) ::close(fd);
}

}  // namespace baseline
