// The HTTP server of the examples, with a full parser, limits and timeouts, answering hello.
#include <sys/socket.h>

#include <trueasync/trueasync.hpp>

#include "http/connection.hpp"
#include "ours/in_runtime.hpp"
#include "ours/works.hpp"
#include "support/serving.hpp"

namespace ta = trueasync;

namespace bench::ours {

void serve_http(std::uint64_t) {
  in_runtime([] {
    const http::Handler handler = [](const http::Request&, http::Response& response) {
      response.body = "Hello, World!";
    };
    const http::Limits limits;
    const int listener = listen_on_loopback();
    announce_port(port_of(listener));
    for (;;) {
      const int peer = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (peer < 0) {
        ta::poll(listener, ta::Readiness::readable);
        continue;
      }
      set_no_delay(peer);
      ta::spawn([io = ta::Io::adopt(peer), &handler, &limits]() mutable {
        try {
          http::Connection(io, handler, limits).serve();
        } catch (const ta::Error&) {
          // the client has gone
        }
      });
    }
  });
}

}  // namespace bench::ours
