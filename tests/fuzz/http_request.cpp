// Feeds arbitrary bytes to the request parser of the HTTP examples. It must not crash or exceed its limits, and the result
// must not depend on the size of the pieces. The first byte sets that size.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "http/request_parser.hpp"

namespace {

constexpr http::ParserLimits kLimits{.head = 512, .headers = 8, .body = 256};

void expect(bool is_true) {
  if (!is_true) std::abort();
}

std::string parse(std::string_view text, std::size_t piece) {
  http::RequestParser parser(kLimits);
  std::string out;
  while (!text.empty()) {
    std::string_view part = text.substr(0, piece);
    text.remove_prefix(part.size());
    while (!part.empty()) {
      const std::size_t used = parser.feed(part);
      expect(used <= part.size());
      part.remove_prefix(used);
      // The status is not compared: if one piece has two faults, http_parser reports its own before a limit is checked.
      if (parser.state() == http::RequestParser::State::failed) return out + " failed";
      if (parser.state() != http::RequestParser::State::complete) {
        expect(part.empty());
        continue;
      }
      const http::Request& request = parser.request();
      expect(request.body().size() <= kLimits.body && request.target().size() <= kLimits.head);
      expect(request.header_count() <= kLimits.headers);
      out.append(request.method()).append(request.target()).append(request.header("x")).append(request.body());
      parser.next();
    }
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  expect(parse(text, data[0] % 32 + 1u) == parse(text, text.size() + 1));
  return 0;
}
