// One attempt to connect, among several that may be under way at once.
//
// Owns: the socket, as the handle that it will be; dropped it is closed.
#pragma once

#include "io/stream_handle.hpp"
#include "trueasync/net.hpp"

namespace trueasync::detail {

class ConnectAttempt {
 public:
  // Throws IoError when no socket can be had.
  ConnectAttempt(const Address& address, const ConnectOptions& options);
  ConnectAttempt(ConnectAttempt&&) noexcept = default;
  ConnectAttempt& operator=(ConnectAttempt&&) noexcept = default;

  // 0: connected; EINPROGRESS: when writable() fires finish() tells; EAGAIN: the listener's queue is full, which only
  // unix-domain sockets tell – try again later; otherwise why it failed.
  int begin() noexcept;
  Event& writable() { return handle_->registration().writable(); }
  // 0, or why it failed.
  int finish() noexcept;

  const Address& address() const noexcept { return address_; }
  Io take() noexcept { return Io(std::move(handle_)); }

 private:
  Address address_;
  Ref<StreamHandle> handle_;
};

}  // namespace trueasync::detail
