// An HTTP/1.1 server: keep-alive, pipelining, limits, timeouts for slow clients, TLS, graceful shutdown on SIGTERM.
//
//   ./run examples/http_server.cpp --port 8080 [--certificate FILE --key FILE] [--idle-ms N] [--request-ms N]
//
// Without arguments it runs a demo: a client sends a few requests to a free port.
// link: -lhttp_parser
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <trueasync/io/net.hpp>
#include <trueasync/io/signal.hpp>
#include <trueasync/trueasync.hpp>

#include "http/client.hpp"
#include "http/server.hpp"

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

struct Options {
  std::uint16_t port = 0;
  ta::TlsIdentity identity;
  http::Limits limits;
};

// The number after "?", at most `max`.
std::size_t parse_number(std::string_view target, std::size_t max) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return 0;
  return std::min(max,
                  static_cast<std::size_t>(std::strtoul(std::string(target.substr(mark + 1)).c_str(), nullptr, 10)));
}

void handle(const http::Request& request, http::Response& response) {
  const std::string_view target = request.target();
  if (target == "/") {
    response.body = "Hello, World!";
  } else if (target == "/echo") {
    response.body = request.body();
  } else if (target.starts_with("/large?")) {
    response.body.assign(parse_number(target, 64 * 1024 * 1024), 'x');
  } else if (target.starts_with("/slow?")) {
    ta::delay(std::chrono::milliseconds(parse_number(target, 60'000)));
    response.body = "delayed\n";
  } else if (target == "/broken") {
    throw std::runtime_error("handler failed");
  } else {
    response.status = 404;
    response.body = "not found\n";
  }
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    const char* value = arguments[i + 1];
    const auto milliseconds = [&] { return std::chrono::milliseconds(std::strtol(value, nullptr, 10)); };
    if (name == "--port") {
      options.port = static_cast<std::uint16_t>(std::strtoul(value, nullptr, 10));
    } else if (name == "--certificate") {
      options.identity.certificate_file = value;
    } else if (name == "--key") {
      options.identity.key_file = value;
    } else if (name == "--idle-ms") {
      options.limits.idle = milliseconds();
    } else if (name == "--request-ms") {
      options.limits.request = milliseconds();
    } else {
      throw std::invalid_argument("unknown option " + name);
    }
  }
  return options;
}

void serve_until_signal(http::Server& server, ta::Listener& listener) {
  ta::SignalWatch stop(SIGTERM);
  auto accepting = ta::spawn([&] { server.accept_from(listener); });
  stop.wait();
  listener.close();
  std::printf("draining %zu connections\n", server.connections());
  server.drain(10s);
  std::puts("all requests answered");
}

void run_demo(http::Server& server, ta::Listener& listener) {
  auto accepting = ta::spawn([&] { server.accept_from(listener); });
  ta::Io stream = ta::connect(listener.local_address());
  http::Client client(stream, "localhost");
  for (const char* target : {"/", "/slow?5", "/large?100000", "/broken", "/nowhere"}) {
    const http::ClientResponse response = client.fetch(target, 5s);
    std::printf("%s: %d, %zu bytes\n", target, response.status, response.body.size());
  }
  auto slow = ta::spawn([&] { return client.fetch("/slow?50", 5s); });
  ta::delay(10ms);
  listener.close();
  server.drain(5s);
  std::printf("answered while draining: %d\n", ta::await(std::move(slow)).status);
}

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed standard output must not end the server
  return ta::run([&] {
    const Options options = parse(count, arguments);
    std::optional<ta::TlsContext> tls;
    if (!options.identity.certificate_file.empty()) tls = ta::TlsContext::server({.identity = options.identity});
    ta::Listener listener = ta::listen(ta::Address::loopback(ta::AddressFamily::ipv4, options.port));
    http::Server server(handle, options.limits, tls);
    if (count == 1) return run_demo(server, listener);
    std::printf("listening on %s\n", listener.local_address().to_string().c_str());
    std::fflush(stdout);
    serve_until_signal(server, listener);
  });
}
