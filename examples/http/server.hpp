// An HTTP/1.1 server: a coroutine per connection, TLS if it has a context, graceful shutdown.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <trueasync/io/io.hpp>
#include <trueasync/io/net.hpp>
#include <trueasync/io/tls.hpp>
#include <trueasync/sync/latch.hpp>
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
  // Connections use the server, so they end before it is destroyed.
  ~Server() {
    if (group_.count() == 0) return;
    ta::protect([this] { drain(std::chrono::nanoseconds(0)); });
  }

  // Serves connections until the listener is closed.
  void accept_from(ta::Listener& listener) {
    try {
      for (;;) take(listener.accept());
    } catch (const ta::ClosedError&) {
    }
  }

  // Serves this connection in its own coroutine.
  void take(ta::Io peer) {
    ta::spawn({.name = "http"}, [this, io = std::move(peer), member = ta::WaitGroup::Member(group_)]() mutable {
      LiveConnection live(*this, io);
      try {
        serve_stream(live);
      } catch (const ta::Error&) {  // the client has closed, or the handshake failed
        ++broken_;
      }
      io.close();
    });
  }

  // Graceful shutdown: idle connections are closed, requests in flight are answered, and connections that are still open
  // after `timeout` are closed. take() must not be called any more.
  void drain(std::chrono::nanoseconds timeout) {
    draining_ = true;
    for (LiveConnection* live : live_) {
      if (live->connection) live->connection->close_after_request();
      // Bytes that have already arrived are still read and answered; then the stream ends.
      if (!live->connection || live->connection->is_idle()) ::shutdown(live->io.descriptor(), SHUT_RD);
    }
    try {
      group_.wait(timeout);
    } catch (const ta::TimeoutError&) {
      for (LiveConnection* live : live_) live->io.close();
      group_.wait();
    }
  }

  std::size_t connections() const { return live_.size(); }
  // Number of connections that ended with an error: reset, timeout, invalid input.
  std::uint64_t broken() const { return broken_; }

 private:
  // Registered in live_ while it exists, however its coroutine ends.
  struct LiveConnection {
    LiveConnection(Server& owner, ta::Io& stream) : server(owner), io(stream) { server.live_.insert(this); }
    LiveConnection(const LiveConnection&) = delete;
    LiveConnection& operator=(const LiveConnection&) = delete;
    ~LiveConnection() { server.live_.erase(this); }

    Server& server;
    ta::Io& io;
    Connection* connection = nullptr;
  };

  void serve_stream(LiveConnection& live) {
    if (draining_) return;
    if (!tls_) return serve(live, live.io);
    ta::TlsStream stream(live.io, *tls_);
    stream.handshake(limits_.request);
    serve(live, stream);
  }

  void serve(LiveConnection& live, ta::Stream& stream) {
    Connection connection(stream, handler_, limits_);
    if (draining_) return;  // drain() was called during the handshake
    live.connection = &connection;
    struct ResetGuard {
      LiveConnection& live;
      ~ResetGuard() { live.connection = nullptr; }
    } const guard{live};
    connection.serve();
  }

  Handler handler_;
  Limits limits_;
  std::optional<ta::TlsContext> tls_;
  std::unordered_set<LiveConnection*> live_;
  ta::WaitGroup group_;
  std::uint64_t broken_ = 0;
  bool draining_ = false;
};

}  // namespace http
