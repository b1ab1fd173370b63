// Io: the one handle for PIPE, FILE, TCP, UDP and TTY (AIO-01), with the same read, write and close for all. How it is
// done is chosen when the handle is made: sockets, pipes and terminals are tried first and waited for in the loop; files
// are answered from the page cache, or by a thread.
//
// Owns: the descriptor, closed with the handle. Lifetime: may outlive the runtime (then only close() works).
// Threads: the runtime's. Errors: IoError ("read 127.0.0.1:6379: Connection reset by peer"), ClosedError, TimeoutError,
// Cancelled.
//
// What happens when (AIO-03)
//   two read            in turns, in the order they came: each gets the bytes that follow those of the one before
//   two write           in turns: one write is never torn by another, however often it has to wait
//   one closes while    every waiter wakes with ClosedError; what was read before the close is returned, never dropped
//   another waits
//   the peer resets     every waiter wakes; a reader first gets what arrived before the reset, then ECONNRESET; a
//                       writer gets EPIPE or ECONNRESET (there is no SIGPIPE)
//   the end arrives     first all the data, then 0; after that 0 again
//   with data pending
//   a write is          what the kernel had taken stays written, and the next writer has its turn; bytes_written()
//   cancelled half way  tells how much it was, so that nobody has to guess. A timeout is the same
//   a read times out    nothing was taken: the next read gets the bytes (IO-22)
//   the peer does not   the writer suspends; nothing is buffered on our side (AIO-04)
//   read
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "trueasync/event.hpp"
#include "trueasync/io_error.hpp"
#include "trueasync/stream.hpp"

namespace trueasync {

namespace detail {
class IoHandle;
}

enum class IoKind : std::uint8_t { pipe, file, tcp, udp, tty };

struct IoState {
  bool readable = false;
  bool writable = false;
  bool closed = false;
  bool eof = false;
  bool append = false;
};

class TRUEASYNC_EXPORT Io final : public Stream {
 public:
  Io() noexcept;
  explicit Io(Ref<detail::IoHandle> handle) noexcept;
  Io(Io&& other) noexcept;
  Io& operator=(Io&& other) noexcept;
  ~Io() override;

  // Takes over an open descriptor and finds out what it is. `name` is for messages. Sockets, pipes and terminals become
  // non-blocking. Throws IoError; then the descriptor still belongs to the caller.
  static Io adopt(int descriptor, std::string name = {});

  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  IoKind kind() const noexcept;
  IoState state() const noexcept;
  int descriptor() const noexcept;  // -1 once closed
  std::string_view name() const noexcept override;
  // All that went through this handle so far.
  std::uint64_t bytes_read() const noexcept;
  std::uint64_t bytes_written() const noexcept;

  std::size_t read(Bytes buffer, Limit timeout = std::nullopt,
                   SourceLocation location = SourceLocation::current()) override;
  std::size_t write_some(ConstBytes data, Limit timeout = std::nullopt,
                         SourceLocation location = SourceLocation::current()) override;
  void write(ConstBytes data, Limit timeout = std::nullopt,
             SourceLocation location = SourceLocation::current()) override;
  using Stream::write;
  void write_vectored(std::span<const ConstBytes> pieces, Limit timeout = std::nullopt,
                      SourceLocation location = SourceLocation::current()) override;
  void shutdown_write(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current()) override;
  // Wakes whoever waits, with ClosedError. The descriptor is free when this returns, unless a thread still works on a
  // file: then when that is over. A second close does nothing.
  void close() noexcept override;

  // The operations as requests (AIO-02), for waiting on several things.
  Ref<class IoRequest> read_request(Bytes buffer, SourceLocation location = SourceLocation::current());
  Ref<class IoRequest> write_request(ConstBytes data, SourceLocation location = SourceLocation::current());

  detail::IoHandle& handle() const;

 private:
  Ref<detail::IoHandle> handle_;
};

}  // namespace trueasync
