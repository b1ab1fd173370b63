// The baseline of the load workloads: plain epoll, as in C.
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string_view>

#include "support/harness.hpp"
#include "support/serving.hpp"

namespace {

void watch(int poller, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

void accept_all(int poller, int listener) {
  for (int peer; (peer = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK)) >= 0;) {
    bench::set_no_delay(peer);
    watch(poller, peer);
  }
}

void echo(int peer) {
  char buffer[4096];
  const ssize_t got = recv(peer, buffer, sizeof buffer, 0);
  if (got <= 0) {
    close(peer);
    return;
  }
  (void)!send(peer, buffer, static_cast<std::size_t>(got), MSG_NOSIGNAL);
}

// Recognizes only the end of an HTTP request.
void answer_http(int peer) {
  static constexpr std::string_view kAnswer =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!";
  char buffer[4096];
  const ssize_t got = recv(peer, buffer, sizeof buffer, 0);
  if (got <= 0) {
    close(peer);
    return;
  }
  if (!std::string_view(buffer, static_cast<std::size_t>(got)).ends_with("\r\n\r\n")) return;
  (void)!send(peer, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL);
}

void serve(void (*answer)(int peer)) {
  const int listener = bench::listen_on_loopback();
  const int poller = epoll_create1(0);
  watch(poller, listener);
  bench::announce_port(bench::port_of(listener));
  for (epoll_event events[1024];;) {
    const int count = epoll_wait(poller, events, 1024, -1);
    for (int i = 0; i < count; ++i) {
      if (events[i].data.fd == listener) {
        accept_all(poller, listener);
      } else {
        answer(events[i].data.fd);
      }
    }
  }
}

void serve_echo(std::uint64_t) { serve(echo); }
void serve_http(std::uint64_t) { serve(answer_http); }

constexpr bench::Workload kWorkloads[] = {{"serve-echo", serve_echo, 0}, {"serve-http", serve_http, 0}};

}  // namespace

int main(int argc, char** argv) { return bench::run_workload(argc, argv, kWorkloads); }
