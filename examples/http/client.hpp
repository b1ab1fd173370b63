// An HTTP/1.1 client on an open stream: one request at a time, as many as the server accepts.
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

// The response is not HTTP, ends early or is larger than kMaxBody.
class ProtocolError : public ta::Error {
 public:
  using ta::Error::Error;
};

struct ClientResponse {
  int status = 0;
  std::string body;
  bool keeps_alive = false;
};

class Client {
 public:
  static constexpr std::size_t kMaxBody = 16 * 1024 * 1024;

  Client(ta::Stream& stream, std::string host) : stream_(stream), host_(std::move(host)) {}

  // `timeout` covers the whole exchange. After an error the stream cannot be used again.
  ClientResponse fetch(std::string_view target, std::chrono::nanoseconds timeout, std::string_view method = "GET") {
    const Clock::time_point deadline = Clock::now() + timeout;
    std::string head(method);
    head.append(" ").append(target).append(" HTTP/1.1\r\nHost: ").append(host_).append("\r\n\r\n");
    stream_.write_all(head, deadline);
    Reading reading;
    http_parser_init(&reading.parser, HTTP_RESPONSE);
    reading.parser.data = &reading;
    reading.is_head = method == "HEAD";
    std::byte buffer[8 * 1024];
    while (!reading.complete) {
      const std::size_t got = stream_.read_some(buffer, deadline);
      http_parser_execute(&reading.parser, &settings(), reinterpret_cast<const char*>(buffer), got);
      const auto code = HTTP_PARSER_ERRNO(&reading.parser);
      if (code != HPE_OK) {
        throw ProtocolError("fetch " + host_ + ": " + http_errno_description(code));
      }
      if (got == 0 && !reading.complete) throw ProtocolError("fetch " + host_ + ": the response ended early");
    }
    return std::move(reading.response);
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Reading {
    http_parser parser;
    ClientResponse response;
    bool is_head = false;
    bool complete = false;
  };

  static const http_parser_settings& settings() {
    static const http_parser_settings instance = [] {
      http_parser_settings created;
      http_parser_settings_init(&created);
      created.on_headers_complete = [](http_parser* parser) {
        auto& reading = *static_cast<Reading*>(parser->data);
        reading.response.status = static_cast<int>(parser->status_code);
        return reading.is_head ? 1 : 0;  // 1: no body follows
      };
      created.on_body = [](http_parser* parser, const char* data, std::size_t size) {
        auto& reading = *static_cast<Reading*>(parser->data);
        if (reading.response.body.size() + size > kMaxBody) return 1;
        reading.response.body.append(data, size);
        return 0;
      };
      created.on_message_complete = [](http_parser* parser) {
        auto& reading = *static_cast<Reading*>(parser->data);
        reading.response.keeps_alive = http_should_keep_alive(parser) != 0;
        reading.complete = true;
        return 0;
      };
      return created;
    }();
    return instance;
  }

  ta::Stream& stream_;
  std::string host_;
};

}  // namespace http
