#include "tls/transport_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/check.hpp"

namespace trueasync::detail {

namespace {

// An idle connection waits with the small buffer. A connection that fills it gets space for a whole record.
constexpr std::size_t kIdleCapacity = 1024;
constexpr std::size_t kBusyCapacity = 32 * 1024;
constexpr std::size_t kMaxIdleSendCapacity = 4096;  // an empty send buffer with a greater capacity is freed

void shrink(std::string& buffer) noexcept {
  if (buffer.capacity() > kMaxIdleSendCapacity) {
    std::string().swap(buffer);
  } else {
    buffer.clear();
  }
}

}  // namespace

TlsTransportBuffer::TlsTransportBuffer() noexcept : wanted_(kIdleCapacity) {}

Bytes TlsTransportBuffer::space() {
  TRUEASYNC_CHECK(begin_ == end_, "TLS buffer refilled with unconsumed data");
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
  if (bytes == capacity_) wanted_ = kBusyCapacity;
  if (bytes < kIdleCapacity) wanted_ = kIdleCapacity;
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
  static const BIO_METHOD* const instance = [] {
    BIO_METHOD* new_method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "trueasync transport buffer");
    if (!new_method) throw std::bad_alloc();
    BIO_meth_set_read(new_method, [](BIO* bio, char* data, int size) -> int {
      auto& self = *static_cast<TlsTransportBuffer*>(BIO_get_data(bio));
      BIO_clear_retry_flags(bio);
      if (self.begin_ != self.end_) return self.take(data, size);
      if (self.at_end_) return 0;
      BIO_set_retry_read(bio);
      return -1;
    });
    BIO_meth_set_write(new_method, [](BIO* bio, const char* data, int size) -> int {
      BIO_clear_retry_flags(bio);
      try {
        static_cast<TlsTransportBuffer*>(BIO_get_data(bio))->add(data, size);
      } catch (const std::bad_alloc&) {
        return -1;
      }
      return size;
    });
    BIO_meth_set_ctrl(new_method, [](BIO* bio, int command, long, void*) -> long {
      if (command == BIO_CTRL_FLUSH) return 1;
      return command == BIO_CTRL_EOF ? static_cast<TlsTransportBuffer*>(BIO_get_data(bio))->at_end_ : 0;
    });
    return new_method;
  }();
  return instance;
}

BIO* TlsTransportBuffer::new_bio() {
  BIO* bio = BIO_new(method());
  if (!bio) throw std::bad_alloc();
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  return bio;
}

}  // namespace trueasync::detail
