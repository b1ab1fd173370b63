// copy: transfers bytes from one stream to another. From a file to a socket the kernel copies the cached part
// (sendfile); in all other cases a buffer is used. Other writers of the socket wait until the copy has finished.
//
// After an interrupted copy from file to socket, the file position is behind the bytes sent. A copy
// through a buffer may have read up to 64 KiB that were not written; bytes_written() of the target gives the number of
// written bytes.
//
// Ownership: none; both streams belong to the caller and stay open.
// Thread safety: one runtime.
// Errors: those of the streams.
#pragma once

#include <cstdint>
#include <optional>

#include "trueasync/stream.hpp"

namespace trueasync {

// CopyOptions: options of copy().
struct CopyOptions {
  std::optional<std::uint64_t> count = std::nullopt;  // maximum number of bytes; default: to the end of `from`
};

// `wait` applies to the whole copy. Returns the number of bytes copied, fewer than `count` if `from` ended.
TRUEASYNC_EXPORT std::uint64_t copy(Stream& from, Stream& to, const CopyOptions& options = {}, WaitOptions wait = {},
                                    SourceLocation location = SourceLocation::current());

}  // namespace trueasync
