// A response and its serialization. The connection reuses the object for the next request.
#pragma once

#include <charconv>
#include <ctime>
#include <string>
#include <string_view>

#include "request.hpp"

namespace http {

struct Response {
  int status = 200;
  std::string_view content_type = "text/plain";
  std::string headers;  // further header lines, each with \r\n
  std::string body;
  bool close = false;  // close the connection after this response

  void clear() {
    status = 200;
    content_type = "text/plain";
    headers.clear();
    body.clear();
    close = false;
  }
};

inline std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 417:
      return "Expectation Failed";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Status";
  }
}

// "Date: Mon, 16 Nov 2026 10:00:00 GMT\r\n", updated once per second.
inline std::string_view date_line() {
  thread_local std::time_t formatted_at = 0;
  thread_local char line[64];
  thread_local std::size_t size = 0;
  std::timespec now;
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (now.tv_sec != formatted_at) {
    formatted_at = now.tv_sec;
    std::tm parts;
    ::gmtime_r(&formatted_at, &parts);
    size = std::strftime(line, sizeof line, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
  }
  return {line, size};
}

inline void append_number(std::string& out, std::size_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

// Status line and headers.
inline void append_head(std::string& out, const Response& response, bool keep_alive, bool http_1_1) {
  out += http_1_1 ? "HTTP/1.1 " : "HTTP/1.0 ";
  append_number(out, static_cast<std::size_t>(response.status));
  out += ' ';
  out += reason_phrase(response.status);
  out += "\r\nContent-Type: ";
  out += response.content_type;
  out += "\r\nContent-Length: ";
  append_number(out, response.body.size());
  out += "\r\n";
  out += date_line();
  out += response.headers;
  if (!keep_alive) {
    out += "Connection: close\r\n";
  } else if (!http_1_1) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
}

}  // namespace http
