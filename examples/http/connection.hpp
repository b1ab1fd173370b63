// One HTTP/1.1 connection on any stream: reads, parses, calls the handler, answers. Requests that came together are
// answered together, with one write.
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
  std::chrono::nanoseconds request = std::chrono::seconds(10);  // from its first byte to its last, however it trickles
  std::chrono::nanoseconds write = std::chrono::seconds(30);    // for a client that does not read
};

// Runs in the connection's coroutine and may suspend. What it throws is a 500.
using Handler = std::function<void(const Request& request, Response& response)>;

class Connection {
 public:
  Connection(ta::Stream& stream, const Handler& handler, const Limits& limits)
      : stream_(stream), handler_(handler), limits_(limits), parser_(limits.parser) {}

  // Between two requests: may be ended without a loss.
  bool is_idle() const { return idle_; }
  // The request under way is the last one.
  void end_soon() { ending_ = true; }

  // Returns when the connection is over; the caller closes the stream. Throws what the stream throws.
  void serve() {
    char buffer[kBuffer];
    for (;;) {
      idle_ = parser_.state() == RequestParser::State::idle;
      if (idle_ && ending_) return;
      std::string_view bytes;
      try {
        bytes = std::string_view(buffer, stream_.read(std::as_writable_bytes(std::span(buffer)), read_limit()));
      } catch (const ta::TimeoutError&) {
        if (!idle_) refuse(408);  // a slow client: its time is over
        return;
      }
      if (bytes.empty()) return;  // the client has gone, perhaps in the middle of a request
      idle_ = false;
      if (!answer_all(bytes)) return;
      flush();
    }
  }

 private:
  static constexpr std::size_t kBuffer = 8 * 1024;
  static constexpr std::size_t kFlushAt = 64 * 1024;
  static constexpr std::chrono::seconds kLinger{2};

  using Clock = std::chrono::steady_clock;

  ta::Limit read_limit() {
    if (idle_) return limits_.idle;
    return std::max(Clock::duration::zero(), request_deadline_ - Clock::now());
  }

  // False: this was the last.
  bool answer_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const bool is_new = parser_.state() == RequestParser::State::idle;
      bytes.remove_prefix(parser_.feed(bytes));
      switch (parser_.state()) {
        case RequestParser::State::complete:
          if (!answer()) return false;
          parser_.next();
          break;
        case RequestParser::State::failed:
          refuse(parser_.status());
          return false;
        default:
          if (is_new) request_deadline_ = Clock::now() + limits_.request;
          if (parser_.take_expects_continue()) out_ += "HTTP/1.1 100 Continue\r\n\r\n";
      }
    }
    return true;
  }

  bool answer() {
    const Request& request = parser_.request();
    response_.clear();
    try {
      handler_(request, response_);
    } catch (const std::exception&) {
      response_.clear();
      response_.status = 500;
      response_.body = "internal error\n";
    }
    const bool stays = request.keeps_alive() && !response_.close && !ending_;
    append_head(out_, response_, stays, request.is_http_1_1());
    if (!request.is_head()) append_body();
    if (!stays) say_goodbye();
    return stays;
  }

  // A large body goes out from where it is.
  void append_body() {
    if (response_.body.size() < kFlushAt) {
      out_ += response_.body;
      if (out_.size() >= kFlushAt) flush();
      return;
    }
    const ta::ConstBytes pieces[] = {ta::as_bytes(out_), ta::as_bytes(response_.body)};
    stream_.write_vectored(pieces, limits_.write);
    out_.clear();
    std::string().swap(response_.body);
  }

  void flush() {
    if (out_.empty()) return;
    stream_.write(out_, limits_.write);
    out_.clear();
    if (out_.capacity() > kFlushAt) std::string().swap(out_);
  }

  void refuse(int status) {
    response_.clear();
    response_.status = status;
    response_.body = reason_of(status);
    response_.body += '\n';
    append_head(out_, response_, false, true);
    out_ += response_.body;
    say_goodbye();
  }

  // Closing while the client still sends would make the kernel reset the connection, and the answer be lost: read what
  // comes, for a moment.
  void say_goodbye() {
    flush();
    stream_.shutdown_write(limits_.write);
    const auto end = Clock::now() + kLinger;
    std::byte rubbish[2048];
    try {
      while (Clock::now() < end && stream_.read(rubbish, end - Clock::now()) != 0) {
      }
    } catch (const ta::Error&) {  // whatever it is, it is over
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
  bool ending_ = false;
};

}  // namespace http
