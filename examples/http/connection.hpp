// One HTTP/1.1 connection on any stream: reads, parses, calls the handler, responds. Requests that arrive together are
// answered with one write.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <trueasync/trueasync.hpp>

#include "request_parser.hpp"
#include "response.hpp"

namespace http {

namespace ta = trueasync;

struct Limits {
  ParserLimits parser = {};
  std::chrono::nanoseconds idle = std::chrono::seconds(60);     // between two requests
  std::chrono::nanoseconds request = std::chrono::seconds(10);  // from its first byte to its last
  std::chrono::nanoseconds write = std::chrono::seconds(30);    // while the client does not read
};

// Runs in the connection's coroutine and may suspend. An exception becomes a response with status 500.
using Handler = std::function<void(const Request& request, Response& response)>;

class Connection {
 public:
  Connection(ta::Stream& stream, const Handler& handler, const Limits& limits)
      : stream_(stream), handler_(handler), limits_(limits), parser_(limits.parser) {}

  // Between two requests: the connection may be closed without losing a response.
  bool is_idle() const { return idle_; }
  // The request in flight is the last one.
  void close_after_request() { closing_ = true; }

  // Returns when the connection has ended; the caller closes the stream. Throws what the stream throws.
  void serve() {
    char buffer[kBuffer];
    for (;;) {
      idle_ = parser_.state() == RequestParser::State::idle;
      if (idle_ && closing_) return;
      std::string_view bytes;
      try {
        bytes = std::string_view(buffer, stream_.read_some(std::as_writable_bytes(std::span(buffer)), read_options()));
      } catch (const ta::TimeoutError&) {
        if (!idle_) reject(408);  // the client is too slow
        return;
      }
      if (bytes.empty()) return;  // the client has closed, possibly in the middle of a request
      idle_ = false;
      if (!process(bytes)) return;
      flush();
    }
  }

 private:
  static constexpr std::size_t kBuffer = 8 * 1024;
  static constexpr std::size_t kFlushThreshold = 64 * 1024;
  static constexpr std::chrono::seconds kLingerTime{2};

  using Clock = std::chrono::steady_clock;

  ta::WaitOptions read_options() const {
    if (idle_) return limits_.idle;
    return request_deadline_;
  }

  // False: the connection ends.
  bool process(std::string_view bytes) {
    while (!bytes.empty()) {
      const bool is_new = parser_.state() == RequestParser::State::idle;
      bytes.remove_prefix(parser_.feed(bytes));
      switch (parser_.state()) {
        case RequestParser::State::complete:
          if (!respond()) return false;
          parser_.next();
          break;
        case RequestParser::State::failed:
          reject(parser_.status());
          return false;
        default:
          if (is_new) request_deadline_ = Clock::now() + limits_.request;
          if (parser_.take_expects_continue()) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
      }
    }
    return true;
  }

  bool respond() {
    const Request& request = parser_.request();
    response_.clear();
    try {
      handler_(request, response_);
    } catch (const std::exception&) {
      response_.clear();
      response_.status = 500;
      response_.body = "internal error\n";
    }
    const bool keep_alive = request.keeps_alive() && !response_.close && !closing_;
    append_head(out_, response_, keep_alive, request.is_http_1_1());
    if (!request.is_head()) append_body();
    if (!keep_alive) close_gracefully();
    return keep_alive;
  }

  // A large body is written without a copy.
  void append_body() {
    if (response_.body.size() < kFlushThreshold) {
      out_ += response_.body;
      if (out_.size() >= kFlushThreshold) flush();
      return;
    }
    const ta::ConstBytes pieces[] = {ta::as_bytes(out_), ta::as_bytes(response_.body)};
    stream_.write_all(pieces, limits_.write);
    out_.clear();
    std::string().swap(response_.body);
  }

  void flush() {
    if (out_.empty()) return;
    stream_.write_all(out_, limits_.write);
    out_.clear();
    if (out_.capacity() > kFlushThreshold) std::string().swap(out_);
  }

  void reject(int status) {
    response_.clear();
    response_.status = status;
    response_.body = reason_phrase(status);
    response_.body += '\n';
    append_head(out_, response_, false, true);
    out_ += response_.body;
    close_gracefully();
  }

  // If the connection is closed while the client still sends, the kernel resets it and the client may lose the response.
  // Therefore read and discard for a short time.
  void close_gracefully() {
    flush();
    stream_.shutdown_write(limits_.write);
    const auto deadline = Clock::now() + kLingerTime;
    std::byte discarded[2048];
    try {
      while (Clock::now() < deadline && stream_.read_some(discarded, deadline - Clock::now()) != 0) {
      }
    } catch (const ta::Error&) {  // the connection ends in any case
    }
  }

  ta::Stream& stream_;
  const Handler& handler_;
  const Limits& limits_;
  RequestParser parser_;
  Response response_;
  std::string out_;
  Clock::time_point request_deadline_;
  bool idle_ = true;
  bool closing_ = false;
};

}  // namespace http
