// RequestParser: an incremental parser on http_parser (Debian: libhttp-parser-dev). It stops at the end of each request, so
// that pipelined requests are parsed one by one. Limits are checked while bytes arrive.
#pragma once

#include <http_parser.h>

#include <climits>
#include <cstddef>
#include <string_view>
#include <utility>

#include "request.hpp"

namespace http {

struct ParserLimits {
  std::size_t head = 16 * 1024;  // request line and headers
  std::size_t headers = 100;     // number of headers
  std::size_t body = 1024 * 1024;
};

class RequestParser {
 public:
  explicit RequestParser(ParserLimits limits = {}) : limits_(limits) {
    http_parser_init(&parser_, HTTP_REQUEST);
    parser_.data = this;
  }
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  enum class State {
    idle,  // before the first byte of a request
    head,  // in the request line or the headers
    body,
    complete,  // request() is valid; call next() to continue
    failed,    // status() is the response; the connection cannot be used any more
  };
  State state() const { return state_; }
  const Request& request() const { return request_; }
  int status() const { return status_; }
  // The client waits for "100 Continue" before it sends the body. True once per request.
  bool take_expects_continue() { return std::exchange(expects_continue_, false); }

  // Returns the number of bytes consumed: all of them unless the request is complete or failed.
  std::size_t feed(std::string_view bytes) {
    if (bytes.empty() || state_ == State::complete || state_ == State::failed) return 0;
    const std::size_t used = http_parser_execute(&parser_, &kSettings, bytes.data(), bytes.size());
    if (state_ == State::complete) {
      http_parser_pause(&parser_, 0);
      if (parser_.upgrade) fail(501);  // CONNECT or an upgrade: the following bytes are not HTTP
    } else if (state_ != State::failed && HTTP_PARSER_ERRNO(&parser_) != HPE_OK) {
      fail(HTTP_PARSER_ERRNO(&parser_) == HPE_HEADER_OVERFLOW ? 431 : 400);
    }
    return used;
  }

  void next() {
    request_.text_.clear();
    request_.headers_.clear();
    request_.body_.clear();
    if (request_.body_.capacity() > kMaxRetainedBody) std::string().swap(request_.body_);
    request_.target_ = {};
    expects_continue_ = false;
    in_value_ = false;
    state_ = State::idle;
  }

 private:
  static constexpr std::size_t kMaxRetainedBody = 64 * 1024;

  static RequestParser& self(http_parser* parser) { return *static_cast<RequestParser*>(parser->data); }

  int fail(int status) {
    state_ = State::failed;
    status_ = status;
    return -1;
  }

  // Appends to the part that is being read; the pieces of one part are consecutive.
  int add(Request::Part& part, const char* data, std::size_t size, int status_if_too_long) {
    if (request_.text_.size() + size > limits_.head) return fail(status_if_too_long);
    if (part.size == 0) part.begin = static_cast<std::uint32_t>(request_.text_.size());
    request_.text_.append(data, size);
    part.size += static_cast<std::uint32_t>(size);
    return 0;
  }

  int on_field(const char* data, std::size_t size) {
    if (in_value_ || request_.headers_.empty()) {
      if (request_.headers_.size() == limits_.headers) return fail(431);
      request_.headers_.push_back({});
      in_value_ = false;
    }
    return add(request_.headers_.back().name, data, size, 431);
  }

  int on_value(const char* data, std::size_t size) {
    in_value_ = true;
    return add(request_.headers_.back().value, data, size, 431);
  }

  int on_head() {
    state_ = State::body;
    request_.method_ = http_method_str(static_cast<http_method>(parser_.method));
    request_.http_1_1_ = parser_.http_major == 1 && parser_.http_minor >= 1;
    if (parser_.http_major != 1) return fail(505);
    if (parser_.content_length != ULLONG_MAX && parser_.content_length > limits_.body) return fail(413);
    if (request_.http_1_1_ && request_.header("Host").empty()) return fail(400);
    const std::string_view expect = request_.header("Expect");
    if (!expect.empty() && !is_same(expect, "100-continue")) return fail(417);
    expects_continue_ = !expect.empty() && parser_.content_length != 0;
    return 0;
  }

  int on_body(const char* data, std::size_t size) {
    if (request_.body_.size() + size > limits_.body) return fail(413);
    request_.body_.append(data, size);
    return 0;
  }

  int on_complete() {
    request_.keep_alive_ = http_should_keep_alive(&parser_) != 0;
    state_ = State::complete;
    http_parser_pause(&parser_, 1);
    return 0;
  }

  static http_parser_settings settings() {
    http_parser_settings created;
    http_parser_settings_init(&created);
    created.on_message_begin = [](http_parser* parser) {
      self(parser).state_ = State::head;
      return 0;
    };
    created.on_url = [](http_parser* parser, const char* data, std::size_t size) {
      return self(parser).add(self(parser).request_.target_, data, size, 414);
    };
    created.on_header_field = [](http_parser* parser, const char* data, std::size_t size) {
      return self(parser).on_field(data, size);
    };
    created.on_header_value = [](http_parser* parser, const char* data, std::size_t size) {
      return self(parser).on_value(data, size);
    };
    created.on_headers_complete = [](http_parser* parser) { return self(parser).on_head(); };
    created.on_body = [](http_parser* parser, const char* data, std::size_t size) {
      return self(parser).on_body(data, size);
    };
    created.on_message_complete = [](http_parser* parser) { return self(parser).on_complete(); };
    return created;
  }
  static inline const http_parser_settings kSettings = settings();

  http_parser parser_;
  ParserLimits limits_;
  Request request_;
  State state_ = State::idle;
  int status_ = 0;
  bool in_value_ = false;
  bool expects_continue_ = false;
};

}  // namespace http
