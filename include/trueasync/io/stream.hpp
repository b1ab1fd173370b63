// Stream: an ordered byte stream, such as an Io handle or TLS on top of it. Readers and protocols are written for this
// interface.
//
// Thread safety: one runtime.
// Errors: IoError and derived errors, TimeoutError, OperationCancelled if the token fires, Cancelled. After an
// interrupted wait the stream remains usable and no byte is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

inline ConstBytes as_bytes(std::string_view text) noexcept { return std::as_bytes(std::span(text)); }

class TRUEASYNC_EXPORT Stream {
 public:
  virtual ~Stream();

  // Suspends until data is available and returns its size; 0 at the end of the stream or for an empty buffer.
  virtual std::size_t read_some(Bytes buffer, WaitOptions options = {},
                                SourceLocation location = SourceLocation::current()) = 0;
  // Fills `buffer` or throws EndOfStreamError. After an interruption `buffer` contains the bytes received so far but
  // their number is unknown: use a BufferedReader if the stream is used afterwards.
  void read_exact(Bytes buffer, WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Suspends until at least one byte is written; returns the number of bytes.
  virtual std::size_t write_some(ConstBytes data, WaitOptions options = {},
                                 SourceLocation location = SourceLocation::current()) = 0;
  // Suspends until all bytes are written. Writers proceed in FIFO order: writes are not interleaved.
  void write_all(ConstBytes data, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    write_all(std::span<const ConstBytes>(&data, 1), options, location);
  }
  void write_all(std::string_view text, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    write_all(as_bytes(text), options, location);
  }
  // Writes several pieces as one write. A derived class needs `using Stream::write_all` for the overloads above.
  virtual void write_all(std::span<const ConstBytes> pieces, WaitOptions options = {},
                         SourceLocation location = SourceLocation::current()) = 0;
  // Closes the write side: the peer reads the end of the stream. Reading remains possible.
  virtual void shutdown_write(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) = 0;
  virtual void close() noexcept = 0;
  // For error messages: "127.0.0.1:6379", "orders.csv".
  virtual std::string_view name() const noexcept = 0;

 protected:
  Stream() = default;
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&&) noexcept = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

// Copy: transfers bytes from one stream to another. From a file to a socket the kernel copies the cached part
// (sendfile); in all other cases a buffer is used. Other writers of the socket wait until the copy has finished.
//
// After an interrupted copy from file to socket, the file position is behind the bytes sent. A copy
// through a buffer may have read up to 64 KiB that were not written; bytes_written() of the target gives the number of
// written bytes.
//
// Ownership: none; both streams belong to the caller and stay open.
// Thread safety: one runtime.
// Errors: those of the streams.

// CopyOptions: options of copy().
struct CopyOptions {
  std::optional<std::uint64_t> count = std::nullopt;  // maximum number of bytes; default: to the end of `from`
};

// `wait` applies to the whole copy. Returns the number of bytes copied, fewer than `count` if `from` ended.
TRUEASYNC_EXPORT std::uint64_t copy(Stream& from, Stream& to, const CopyOptions& options = {}, WaitOptions wait = {},
                                    SourceLocation location = SourceLocation::current());

}  // namespace trueasync
