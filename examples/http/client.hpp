// An HTTP/1.1 client for one request at a time on a stream that stays open: fetch() as often as the server keeps it.
#pragma once

#include <http_parser.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <trueasync/trueasync.hpp>

namespace http {

namespace ta = trueasync;

// The server's answer is no HTTP, or larger than we want.
class ProtocolError : public ta::Error {
 public:
  using ta::Error::Error;
};

struct Answer {
  int status = 0;
  std::string body;
  bool keeps_alive = false;
};

class Client {
 public:
  static constexpr std::size_t kBodyMax = 16 * 1024 * 1024;

  Client(ta::Stream& stream, std::string host) : stream_(stream), host_(std::move(host)) {}

  // The whole exchange, within the limit. After an error the stream can't be used for another one.
  Answer fetch(std::string_view target, std::chrono::nanoseconds timeout, std::string_view method = "GET") {
    const Clock::time_point end = Clock::now() + timeout;
    std::string head(method);
    head.append(" ").append(target).append(" HTTP/1.1\r\nHost: ").append(host_).append("\r\n\r\n");
    stream_.write(head, left(end));
    Reading reading;
    http_parser_init(&reading.parser, HTTP_RESPONSE);
    reading.parser.data = &reading;
    reading.is_head = method == "HEAD";
    std::byte buffer[8 * 1024];
    while (!reading.complete) {
      const std::size_t got = stream_.read(buffer, left(end));
      http_parser_execute(&reading.parser, &settings(), reinterpret_cast<const char*>(buffer), got);
      const auto code = HTTP_PARSER_ERRNO(&reading.parser);
      if (code != HPE_OK) throw ProtocolError(std::string("answer of ") + host_ + ": " + http_errno_description(code));
      if (got == 0 && !reading.complete) throw ProtocolError("answer of " + host_ + ": it ended too early");
    }
    return std::move(reading.answer);
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Reading {
    http_parser parser;
    Answer answer;
    bool is_head = false;
    bool complete = false;
  };

  static ta::Limit left(Clock::time_point end) { return std::max(Clock::duration::zero(), end - Clock::now()); }

  static const http_parser_settings& settings() {
    static const http_parser_settings made = [] {
      http_parser_settings fresh;
      http_parser_settings_init(&fresh);
      fresh.on_headers_complete = [](http_parser* parser) {
        auto& reading = *static_cast<Reading*>(parser->data);
        reading.answer.status = static_cast<int>(parser->status_code);
        return reading.is_head ? 1 : 0;  // 1: no body follows
      };
      fresh.on_body = [](http_parser* parser, const char* data, std::size_t size) {
        auto& reading = *static_cast<Reading*>(parser->data);
        if (reading.answer.body.size() + size > kBodyMax) return 1;
        reading.answer.body.append(data, size);
        return 0;
      };
      fresh.on_message_complete = [](http_parser* parser) {
        auto& reading = *static_cast<Reading*>(parser->data);
        reading.answer.keeps_alive = http_should_keep_alive(parser) != 0;
        reading.complete = true;
        return 0;
      };
      return fresh;
    }();
    return made;
  }

  ta::Stream& stream_;
  std::string host_;
};

}  // namespace http
