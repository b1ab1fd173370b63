// ListenHandle: the object that a Listener refers to. Holds the socket and a reserve descriptor, which lets it reject
// connections when the process has no free descriptors.
//
// Lifetime: reference-counted.
// Thread safety: the runtime's thread.
#pragma once

#include "io/stream_handle.hpp"
#include "io/unique_fd.hpp"
#include "trueasync/detail/access.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync::detail {

class ListenHandle {
 public:
  ListenHandle(Ref<StreamHandle> socket, Address local);
  ListenHandle(const ListenHandle&) = delete;
  ListenHandle& operator=(const ListenHandle&) = delete;

  // Waits for the next connection and stores it in `accepted`.
  IoResult accept(Io& accepted, IoWait wait, SourceLocation location);
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
  // One attempt: 0, EAGAIN or another errno. Skips connections that failed before they were accepted.
  int try_accept(Io& accepted);
  // Accepts the next connection with the reserve descriptor and closes it. Returns false if that failed as well: the
  // connection stays in the backlog.
  bool shed_one() noexcept;
  IoResult wait_for_descriptor(IoWait wait, SourceLocation location);

  Ref<StreamHandle> socket_;
  Address local_;
  UniqueFd reserve_;
  std::uint64_t accepted_ = 0;
  std::uint64_t shed_ = 0;
  unsigned references_ = 1;
};

}  // namespace trueasync::detail
