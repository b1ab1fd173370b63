// The RequestParser of the HTTP example: limits, pipelining and input split at any position.
#include "http/request_parser.hpp"

#include <gtest/gtest.h>

namespace http {
namespace {

using State = RequestParser::State;

// Feeds `text` in pieces and formats the parsed requests.
std::string parse(std::string_view text, std::size_t piece, ParserLimits limits = {}) {
  RequestParser parser(limits);
  std::string out;
  while (!text.empty()) {
    std::string_view part = text.substr(0, piece);
    text.remove_prefix(part.size());
    while (!part.empty()) {
      part.remove_prefix(parser.feed(part));
      if (parser.state() == State::failed) return out + "failed " + std::to_string(parser.status());
      if (parser.state() != State::complete) continue;
      const Request& request = parser.request();
      out += std::string(request.method()) + " " + std::string(request.target()) + " [" +
             std::string(request.header("x")) + "] \"" + std::string(request.body()) + "\" " +
             (request.keeps_alive() ? "keep-alive" : "close") + "; ";
      parser.next();
    }
  }
  return out + (parser.state() == State::idle ? "idle" : "incomplete");
}

void expect_parsed(std::string_view text, const std::string& expected, ParserLimits limits = {}) {
  for (const std::size_t piece : {std::size_t(1), std::size_t(2), std::size_t(7), text.size()}) {
    EXPECT_EQ(parse(text, piece, limits), expected) << "in pieces of " << piece;
  }
}

TEST(RequestParser, SeparatesPipelinedRequests) {
  expect_parsed(
      "GET /a HTTP/1.1\r\nHost: h\r\nX: one\r\n\r\nPOST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
      "HEAD /c HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
      "GET /a [one] \"\" keep-alive; POST /b [] \"abc\" keep-alive; HEAD /c [] \"\" close; idle");
}

TEST(RequestParser, JoinsChunkedBody) {
  expect_parsed(
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5;x=y\r\ndefgh\r\n0\r\n\r\n"
      "GET / HTTP/1.0\r\n\r\n",
      "POST / [] \"abcdefgh\" keep-alive; GET / [] \"\" close; idle");
}

TEST(RequestParser, DistinguishesIncompleteRequestFromIdle) {
  expect_parsed("\r\n", "idle");
  expect_parsed("GET / HT", "incomplete");
  expect_parsed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabc", "incomplete");
}

TEST(RequestParser, RejectsInvalidRequests) {
  expect_parsed("garbage\r\n\r\n", "failed 400");
  expect_parsed("GET / HTTP/1.1\r\n\r\n", "failed 400");  // no Host
  expect_parsed("GET / HTTP/2.0\r\nHost: h\r\n\r\n", "failed 505");
  expect_parsed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", "failed 400");
  expect_parsed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "failed 400");
  expect_parsed("CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n", "failed 501");
  expect_parsed("GET / HTTP/1.1\r\nHost: h\r\nExpect: 1\r\n\r\n", "failed 417");
}

TEST(RequestParser, EnforcesLimitsIncrementally) {
  const ParserLimits limits{.head = 64, .headers = 3, .body = 5};
  const std::string host = "GET / HTTP/1.1\r\nHost: h\r\n";
  expect_parsed("GET /" + std::string(70, 'a') + " HTTP/1.1\r\n", "failed 414", limits);
  expect_parsed(host + "X: " + std::string(70, 'a') + "\r\n", "failed 431", limits);
  expect_parsed(host + "A: 1\r\nB: 2\r\nC: 3\r\n", "failed 431", limits);
  expect_parsed("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\n", "failed 413", limits);
  expect_parsed("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n", "failed 413",
                limits);
}

TEST(RequestParser, ReportsExpectContinueOnce) {
  RequestParser parser;
  const std::string_view head = "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(parser.feed(head), head.size());
  EXPECT_TRUE(parser.take_expects_continue());
  EXPECT_FALSE(parser.take_expects_continue());
  parser.feed("ok");
  EXPECT_EQ(parser.state(), State::complete);
}

}  // namespace
}  // namespace http
