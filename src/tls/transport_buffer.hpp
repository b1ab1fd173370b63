// TlsTransportBuffer: the buffers between OpenSSL and the transport. OpenSSL reads from `incoming`, appends to
// `outgoing` and never blocks; the session moves the data. Differs from OpenSSL's memory BIO: the buffers shrink on an
// idle connection, and appending data does not move the part that is being sent.
//
// Lifetime: must outlive the SSL object that uses its BIO.
// Thread safety: the runtime's thread.
#pragma once

#include <openssl/bio.h>

#include <cstddef>
#include <memory>
#include <string>

#include "trueasync/io/stream.hpp"

namespace trueasync::detail {

class TlsTransportBuffer {
 public:
  TlsTransportBuffer() noexcept;
  TlsTransportBuffer(const TlsTransportBuffer&) = delete;
  TlsTransportBuffer& operator=(const TlsTransportBuffer&) = delete;

  // Buffer for the next read of the transport. Requires that OpenSSL has consumed all received data.
  Bytes space();
  void received(std::size_t bytes) noexcept;  // 0: end of the transport
  bool is_at_end() const noexcept { return at_end_; }
  bool needs_refill() const noexcept { return begin_ == end_ && !at_end_; }

  std::size_t pending() const noexcept { return sending_.size() - sent_ + outgoing_.size(); }
  // The data to send next. Stays valid until sent(), also if more data is appended.
  ConstBytes to_send();
  void sent(std::size_t bytes) noexcept;

  // The BIO for SSL_set_bio(). The SSL object frees it.
  BIO* new_bio();

 private:
  static const BIO_METHOD* method();
  int take(char* data, int size) noexcept;
  void add(const char* data, int size) { outgoing_.append(data, static_cast<std::size_t>(size)); }

  std::unique_ptr<std::byte[]> incoming_;
  std::size_t capacity_ = 0;
  std::size_t wanted_;  // capacity of the next read
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::string outgoing_;
  std::string sending_;
  std::size_t sent_ = 0;
};

}  // namespace trueasync::detail
