// The HTTP server of the examples, with a complete parser, limits and timeouts. It responds with "Hello, World!".
#include "http/connection.hpp"
#include "ours/serve_until_ended.hpp"
#include "ours/workloads.hpp"

namespace bench::ours {

void serve_http(std::uint64_t) {
  const http::Handler handler = [](const http::Request&, http::Response& response) { response.body = "Hello, World!"; };
  const http::Limits limits;
  serve_until_ended([&](trueasync::Io& peer) { http::Connection(peer, handler, limits).serve(); });
}

}  // namespace bench::ours
