#include "tls/transport_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/check.hpp"

namespace trueasync::detail {

namespace {

// A quiet connection waits with the small buffer; one that fills it gets room for a whole record and its frame.
constexpr std::size_t kQuiet = 1024;
constexpr std::size_t kBusy = 32 * 1024;
constexpr std::size_t kKept = 4096;  // of a buffer for sending that has nothing to send

void shrink(std::string& buffer) noexcept {
  if (buffer.capacity() > kKept) {
    std::string().swap(buffer);
  } else {
    buffer.clear();
  }
}

}  // namespace

TlsTransportBuffer::TlsTransportBuffer() noexcept : wanted_(kQuiet) {}

Bytes TlsTransportBuffer::space() {
  TRUEASYNC_CHECK(begin_ == end_, "OpenSSL asks for more before it has taken all");
  if (capacity_ != wanted_) {
    incoming_.reset();
    incoming_ = std::make_unique_for_overwrite<std::byte[]>(wanted_);
    capacity_ = wanted_;
  }
  return {incoming_.get(), capacity_};
}

void TlsTransportBuffer::received(std::size_t bytes) noexcept {
  begin_ = 0;
  end_ = bytes;
  if (bytes == 0) at_end_ = true;
  if (bytes == capacity_) wanted_ = kBusy;
  if (bytes < kQuiet) wanted_ = kQuiet;
}

ConstBytes TlsTransportBuffer::to_send() {
  if (sent_ == sending_.size()) {
    sent_ = 0;
    shrink(sending_);
    sending_.swap(outgoing_);
  }
  return as_bytes(sending_).subspan(sent_);
}

void TlsTransportBuffer::sent(std::size_t bytes) noexcept {
  sent_ += bytes;
  if (sent_ != sending_.size()) return;
  sent_ = 0;
  shrink(sending_);
}

int TlsTransportBuffer::take(char* data, int size) noexcept {
  const std::size_t part = std::min(end_ - begin_, static_cast<std::size_t>(size));
  std::memcpy(data, incoming_.get() + begin_, part);
  begin_ += part;
  return static_cast<int>(part);
}

const BIO_METHOD* TlsTransportBuffer::method() {
  static const BIO_METHOD* const made = [] {
    BIO_METHOD* fresh = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "trueasync cipher text");
    if (!fresh) throw std::bad_alloc();
    BIO_meth_set_read(fresh, [](BIO* bio, char* data, int size) -> int {
      auto& self = *static_cast<TlsTransportBuffer*>(BIO_get_data(bio));
      BIO_clear_retry_flags(bio);
      if (self.begin_ != self.end_) return self.take(data, size);
      if (self.at_end_) return 0;
      BIO_set_retry_read(bio);
      return -1;
    });
    BIO_meth_set_write(fresh, [](BIO* bio, const char* data, int size) -> int {
      BIO_clear_retry_flags(bio);
      try {
        static_cast<TlsTransportBuffer*>(BIO_get_data(bio))->add(data, size);
      } catch (const std::bad_alloc&) {
        return -1;
      }
      return size;
    });
    BIO_meth_set_ctrl(fresh, [](BIO* bio, int command, long, void*) -> long {
      if (command == BIO_CTRL_FLUSH) return 1;
      return command == BIO_CTRL_EOF ? static_cast<TlsTransportBuffer*>(BIO_get_data(bio))->at_end_ : 0;
    });
    return fresh;
  }();
  return made;
}

BIO* TlsTransportBuffer::new_bio() {
  BIO* bio = BIO_new(method());
  if (!bio) throw std::bad_alloc();
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  return bio;
}

}  // namespace trueasync::detail
