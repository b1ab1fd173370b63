// An HTTP/1.1 server: a coroutine per connection, TLS when it has a context, a graceful end.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <trueasync/io.hpp>
#include <trueasync/latch.hpp>
#include <trueasync/listener.hpp>
#include <trueasync/tls.hpp>
#include <trueasync/trueasync.hpp>
#include <unordered_set>
#include <utility>

#include "connection.hpp"

namespace http {

class Server {
 public:
  explicit Server(Handler handler, Limits limits = {}) : handler_(std::move(handler)), limits_(limits) {}
  Server(Handler handler, Limits limits, std::optional<ta::TlsContext> tls)
      : handler_(std::move(handler)), limits_(limits), tls_(std::move(tls)) {}

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  // Its connections use it: they end before it does.
  ~Server() {
    if (group_.count() == 0) return;
    ta::protect([this] { drain(std::chrono::nanoseconds(0)); });
  }

  // Serves whoever connects, until the listener is closed.
  void accept_from(ta::Listener& listener) {
    try {
      for (;;) take(listener.accept());
    } catch (const ta::ClosedError&) {
    }
  }

  // Serves this connection in a coroutine of its own.
  void take(ta::Io peer) {
    ta::spawn({.name = "http"}, [this, io = std::move(peer), member = ta::WaitGroup::Member(group_)]() mutable {
      Live live(*this, io);
      try {
        talk(live);
      } catch (const ta::Error&) {  // the client has gone, or never spoke TLS
        ++broken_;
      }
      io.close();
    });
  }

  // The graceful end: idle connections are ended, requests under way are answered, and whoever is not through when the
  // time is over is cut off. Nobody may be taken any more.
  void drain(std::chrono::nanoseconds timeout) {
    draining_ = true;
    for (Live* live : live_) {
      if (live->connection) live->connection->end_soon();
      // What has arrived is still read, and answered; then comes the end.
      if (!live->connection || live->connection->is_idle()) ::shutdown(live->io.descriptor(), SHUT_RD);
    }
    try {
      group_.wait(timeout);
    } catch (const ta::TimeoutError&) {
      for (Live* live : live_) live->io.close();
      group_.wait();
    }
  }

  std::size_t connections() const { return live_.size(); }
  // Connections that ended with an error: resets, timeouts, rubbish.
  std::uint64_t broken() const { return broken_; }

 private:
  // One of live_ as long as it lives, however its coroutine ends.
  struct Live {
    Live(Server& its_server, ta::Io& its_io) : server(its_server), io(its_io) { server.live_.insert(this); }
    Live(const Live&) = delete;
    Live& operator=(const Live&) = delete;
    ~Live() { server.live_.erase(this); }

    Server& server;
    ta::Io& io;
    Connection* connection = nullptr;
  };

  void talk(Live& live) {
    if (draining_) return;
    if (!tls_) return serve(live, live.io);
    ta::TlsStream stream(live.io, *tls_);
    stream.handshake(limits_.request);
    serve(live, stream);
  }

  void serve(Live& live, ta::Stream& stream) {
    Connection connection(stream, handler_, limits_);
    if (draining_) return;  // the end came during the handshake
    live.connection = &connection;
    struct Forget {
      Live& live;
      ~Forget() { live.connection = nullptr; }
    } const forget{live};
    connection.serve();
  }

  Handler handler_;
  Limits limits_;
  std::optional<ta::TlsContext> tls_;
  std::unordered_set<Live*> live_;
  ta::WaitGroup group_;
  std::uint64_t broken_ = 0;
  bool draining_ = false;
};

}  // namespace http
