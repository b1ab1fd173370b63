// Stream: what bytes flow through in order – an Io handle, TLS on top of one. Readers and protocols are written for it.
//
// Threads: the runtime's. Errors: IoError and its kinds, TimeoutError when `limit` passed, Cancelled. After a timeout the
// stream is as usable as before; no byte is lost.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;
// How long an operation may take; nothing: as long as it needs.
using Limit = std::optional<std::chrono::nanoseconds>;

inline ConstBytes as_bytes(std::string_view text) noexcept { return std::as_bytes(std::span(text)); }

class TRUEASYNC_EXPORT Stream {
 public:
  virtual ~Stream();

  // Suspends until there is something and returns how much; 0 at the end of the stream (or for an empty buffer).
  virtual std::size_t read(Bytes buffer, Limit timeout = std::nullopt,
                           SourceLocation location = SourceLocation::current()) = 0;
  // Suspends until at least one byte is taken, and returns how many were.
  virtual std::size_t write_some(ConstBytes data, Limit timeout = std::nullopt,
                                 SourceLocation location = SourceLocation::current()) = 0;
  // Suspends until all of it is taken. Writers take turns: what one writes is never torn by another.
  virtual void write(ConstBytes data, Limit timeout = std::nullopt,
                     SourceLocation location = SourceLocation::current()) = 0;
  void write(std::string_view text, Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) {
    write(as_bytes(text), timeout, location);
  }
  // Several pieces as one write.
  virtual void write_vectored(std::span<const ConstBytes> pieces, Limit timeout = std::nullopt,
                              SourceLocation location = SourceLocation::current()) = 0;
  // Half-close: the other side sees the end of the stream; reading goes on.
  virtual void shutdown_write(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) = 0;
  virtual void close() noexcept = 0;
  // What it is, for messages: "127.0.0.1:6379", "orders.csv".
  virtual std::string_view name() const noexcept = 0;

 protected:
  Stream() = default;
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&&) noexcept = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

}  // namespace trueasync
