// TlsTransportBuffer: what lies between OpenSSL and the transport. OpenSSL takes from `incoming` and adds to `outgoing`, and
// never waits; the session moves both. It is OpenSSL's memory BIO, but for buffers that shrink when the line is quiet
// and a part under way that does not move when more is added.
//
// Threads: the runtime's.
#pragma once

#include <openssl/bio.h>

#include <cstddef>
#include <memory>
#include <string>

#include "trueasync/stream.hpp"

namespace trueasync::detail {

class TlsTransportBuffer {
 public:
  TlsTransportBuffer() noexcept;
  TlsTransportBuffer(const TlsTransportBuffer&) = delete;
  TlsTransportBuffer& operator=(const TlsTransportBuffer&) = delete;

  // Where the transport shall read to. Only when everything that came before has been taken.
  Bytes space();
  void received(std::size_t bytes) noexcept;  // 0: the transport has ended
  bool is_at_end() const noexcept { return at_end_; }
  bool wants_more() const noexcept { return begin_ == end_ && !at_end_; }

  std::size_t pending() const noexcept { return sending_.size() - sent_ + outgoing_.size(); }
  // What to send next; stays in place until sent() tells how much of it is gone, whatever is added meanwhile.
  ConstBytes to_send();
  void sent(std::size_t bytes) noexcept;

  // OpenSSL's side. Freed with the SSL object it is given to; this object must outlive it.
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
