// A request as a handler sees it. All text lies in one buffer that is used again for the next request of a connection,
// so a busy connection allocates nothing.
#pragma once

#include <strings.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace http {

// Without regard to upper and lower case, as HTTP wants it for names.
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

  // Empty when it is not there.
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

  std::string text_;  // target and headers, one after the other
  Part target_;
  std::vector<Header> headers_;
  std::string body_;
  std::string_view method_;
  bool keep_alive_ = false;
  bool http_1_1_ = false;
};

}  // namespace http
