// From a file to a socket: inside the kernel what is in the page cache, else through a read by a thread. The socket is
// non-blocking and waited for in the loop. Nothing spins, nothing blocks the loop (IO-25).
#pragma once

#include <optional>

#include "io/file_handle.hpp"
#include "io/stream_handle.hpp"

namespace trueasync::detail {

struct SendPair {
  Ref<FileHandle> file;
  Ref<StreamHandle> socket;
};

// Nothing when the two are not a file and a socket of ours.
std::optional<SendPair> find_send_pair(Stream& from, Stream& to);

// From the file's position, which moves with what was sent. Other writers of the socket wait until it is over. Throws.
std::uint64_t send_file(SendPair& pair, std::uint64_t count, IoDeadline deadline, SourceLocation location);

}  // namespace trueasync::detail
