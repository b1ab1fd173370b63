// ListenHandle: what a Listener refers to: the socket, and a descriptor in reserve for the day when there is none left.
#pragma once

#include "io/stream_handle.hpp"
#include "io/unique_fd.hpp"
#include "trueasync/listener.hpp"

namespace trueasync::detail {

class ListenHandle {
 public:
  ListenHandle(Ref<StreamHandle> socket, Address local);
  ListenHandle(const ListenHandle&) = delete;
  ListenHandle& operator=(const ListenHandle&) = delete;

  // Waits for the next connection and puts it into `accepted`.
  IoResult accept(Io& accepted, IoDeadline deadline, SourceLocation location);
  void close() noexcept;

  StreamHandle& socket() noexcept { return *socket_; }
  const Address& local() const noexcept { return local_; }
  std::uint64_t accepted() const noexcept { return accepted_; }
  std::uint64_t shed() const noexcept { return shed_; }

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

 private:
  ~ListenHandle() { close(); }
  // One try: 0, EAGAIN, or why it failed. What concerns a single connection is passed over.
  int try_accept(Io& accepted);
  // No descriptor for the next connection: it is accepted on the one in reserve and closed. False: that did not work
  // either, and the connection waits on.
  bool shed_one() noexcept;
  IoResult wait_for_descriptor(IoDeadline deadline, SourceLocation location);

  Ref<StreamHandle> socket_;
  Address local_;
  UniqueFd reserve_;
  std::uint64_t accepted_ = 0;
  std::uint64_t shed_ = 0;
  unsigned references_ = 1;
};

}  // namespace trueasync::detail
