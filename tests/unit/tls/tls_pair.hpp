// TlsPair: a TLS client and server connected by a memory stream.
#pragma once

#include <string>

#include "certificates.hpp"
#include "support/memory_stream.hpp"
#include "trueasync/io/tls.hpp"

namespace trueasync::test {

inline TlsServerOptions server_options() { return {.identity = Certificates::get().server}; }
inline TlsClientOptions client_options() { return {.ca_file = Certificates::get().ca_file}; }

struct TlsPair {
  TlsPair(const TlsServerOptions& server_config, const TlsClientOptions& client_config,
          MemoryStreamOptions transport = {}, const std::string& host = "localhost")
      : ends(MemoryStream::pair(transport)),
        server(ends.first, TlsContext::server(server_config)),
        client(ends.second, TlsContext::client(client_config), host) {}
  TlsPair() : TlsPair(server_options(), client_options()) {}
  explicit TlsPair(MemoryStreamOptions transport) : TlsPair(server_options(), client_options(), transport) {}

  std::pair<MemoryStream, MemoryStream> ends;
  TlsStream server;
  TlsStream client;
};

// Pseudo-random bytes, so that a lost or duplicated byte is detected.
inline std::string pattern(std::size_t size, unsigned seed = 1) {
  std::string text(size, '\0');
  std::uint32_t state = seed;
  for (char& c : text) {
    state = state * 1664525u + 1013904223u;
    c = static_cast<char>(state >> 24);
  }
  return text;
}

inline std::string read_all(Stream& stream) {
  std::string all;
  std::byte buffer[3000];
  while (const std::size_t got = stream.read_some(buffer)) all.append(reinterpret_cast<const char*>(buffer), got);
  return all;
}

inline std::string read_text(Stream& stream, std::size_t size) {
  std::string all;
  std::byte buffer[1000];
  while (all.size() < size) {
    const std::size_t got = stream.read_some(std::span(buffer).first(std::min(sizeof buffer, size - all.size())));
    if (got == 0) break;
    all.append(reinterpret_cast<const char*>(buffer), got);
  }
  return all;
}

}  // namespace trueasync::test
