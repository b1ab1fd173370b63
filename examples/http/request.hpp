// A request as a handler sees it. All text is in one buffer that is reused for the next request of the connection, so a
// busy connection allocates nothing.
#pragma once

#include <strings.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace http {

// Ignores case, as HTTP requires for header names.
inline bool is_same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

class Request {
 public:
  std::string_view method() const { return method_; }
  std::string_view target() const { return view(target_); }
  std::string_view body() const { return body_; }
  bool is_head() const { return method_ == "HEAD"; }
  bool keeps_alive() const { return keep_alive_; }
  bool is_http_1_1() const { return http_1_1_; }

  // Empty if the request has no such header.
  std::string_view header(std::string_view name) const {
    for (const Header& header : headers_) {
      if (is_same(view(header.name), name)) return view(header.value);
    }
    return {};
  }
  std::size_t header_count() const { return headers_.size(); }

 private:
  friend class RequestParser;

  struct Part {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };
  struct Header {
    Part name;
    Part value;
  };

  std::string_view view(Part part) const { return std::string_view(text_).substr(part.begin, part.size); }

  std::string text_;  // target and headers
  Part target_;
  std::vector<Header> headers_;
  std::string body_;
  std::string_view method_;
  bool keep_alive_ = false;
  bool http_1_1_ = false;
};

}  // namespace http
