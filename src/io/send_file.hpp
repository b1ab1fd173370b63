// send_file: copies from a file to a socket. Cached data moves inside the kernel with sendfile(); other data is read on
// a worker thread. Waits for the socket suspend the coroutine, so the copy neither spins nor blocks the event loop.
#pragma once

#include <optional>

#include "io/file_handle.hpp"
#include "io/stream_handle.hpp"

namespace trueasync::detail {

struct SendPair {
  Ref<FileHandle> file;
  Ref<StreamHandle> socket;
};

// std::nullopt unless the streams are a readable file with a position and a stream socket.
std::optional<SendPair> find_send_pair(Stream& from, Stream& to);

// Copies up to `count` bytes from the file's position and advances it by the sent bytes. Holds the write lock of the
// socket. Throws IoError, ClosedError, TimeoutError, Cancelled.
std::uint64_t send_file(SendPair& pair, std::uint64_t count, IoWait wait, SourceLocation location);

}  // namespace trueasync::detail
