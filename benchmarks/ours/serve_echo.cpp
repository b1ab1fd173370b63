// The echo server as a user writes it: a coroutine per connection.
#include <sys/socket.h>

#include <array>
#include <trueasync/io.hpp>
#include <trueasync/poll.hpp>
#include <trueasync/trueasync.hpp>

#include "ours/in_runtime.hpp"
#include "ours/works.hpp"
#include "support/serving.hpp"

namespace ta = trueasync;

namespace bench::ours {
namespace {

void echo(ta::Io& peer) {
  std::array<std::byte, 1024> buffer;
  while (const std::size_t got = peer.read(buffer)) peer.write(ta::ConstBytes(buffer).first(got));
}

}  // namespace

void serve_echo(std::uint64_t) {
  in_runtime([] {
    const int listener = listen_on_loopback();
    announce_port(port_of(listener));
    for (;;) {
      const int peer = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (peer < 0) {
        ta::poll(listener, ta::Readiness::readable);
        continue;
      }
      set_no_delay(peer);
      ta::spawn([io = ta::Io::adopt(peer)]() mutable {
        try {
          echo(io);
        } catch (const ta::IoError&) {
          // the client has gone
        }
      });
    }
  });
}

}  // namespace bench::ours
