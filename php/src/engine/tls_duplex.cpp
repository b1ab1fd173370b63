#include "engine/tls_duplex.hpp"

#include <cstring>

extern "C" {
#include "main/php_network.h"
}

namespace trueasync::php::engine {

namespace {

constexpr uint32_t kUsers = kReadActive | kWriteActive;
constexpr uint32_t kWasBlocking = 0x10000000;  // when the first one came
constexpr uint32_t kBothWays = 0x08000000;     // TLS, and two were inside

// Of the transports of the openssl extension, TLS or not; null: another kind.
php_netstream_data_t* socket_of(const php_stream& stream) noexcept {
  const bool is_openssl = std::strcmp(stream.ops->label, "tcp_socket/ssl") == 0;
  return is_openssl ? static_cast<php_netstream_data_t*>(stream.abstract) : nullptr;
}

}  // namespace

bool begin_stream_use(php_stream& stream, uint32_t flag) noexcept {
  if (stream.flags & (flag == kWriteActive ? flag | kWriteReserved : flag)) return false;
  if (php_netstream_data_t* socket = socket_of(stream)) {
    if (!(stream.flags & kUsers)) {
      if (socket->is_blocked) stream.flags |= kWasBlocking;
    } else if ((stream.flags & kWasBlocking) && !socket->is_blocked) {
      stream.flags |= kBothWays;
      socket->is_blocked = true;
    }
  }
  stream.flags |= flag;
  return true;
}

void end_stream_use(php_stream& stream, uint32_t flag) noexcept {
  stream.flags &= ~flag;
  if (!(stream.flags & kUsers)) {
    stream.flags &= ~(kWasBlocking | kBothWays);
  } else if (stream.flags & kBothWays) {
    php_netstream_data_t* socket = socket_of(stream);
    if (socket && php_set_sock_blocking(socket->socket, false) == SUCCESS) socket->is_blocked = false;
  }
}

}  // namespace trueasync::php::engine
