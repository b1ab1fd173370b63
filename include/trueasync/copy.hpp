// Copying from one stream to another. What the page cache has of a file goes to a socket inside the kernel (sendfile);
// everything else through a buffer. Other writers of that socket wait until the copy is over.
//
// Owns: nothing; both streams are the caller's, and stay open. Threads: the runtime's. Errors: what the streams throw.
// After a timeout or a cancellation from file to socket the file's position stands behind what was sent; through a
// buffer up to 64 KiB may have been read and not written – what was written, the target's bytes_written() tells.
#pragma once

#include <cstdint>
#include <optional>

#include "trueasync/stream.hpp"

namespace trueasync {

struct CopyOptions {
  std::optional<std::uint64_t> count = std::nullopt;  // bytes at most; nothing: to the end of `from`
  Limit timeout = std::nullopt;                       // for the whole copy
};

// Returns how many bytes were copied: fewer than asked for when `from` ended.
TRUEASYNC_EXPORT std::uint64_t copy(Stream& from, Stream& to, const CopyOptions& options = {},
                                    SourceLocation location = SourceLocation::current());

}  // namespace trueasync
