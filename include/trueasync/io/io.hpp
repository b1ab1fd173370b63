// Io: one handle type for pipes, files, TCP, UDP and terminals, with the same read, write and close. Files have more
// operations: see File in file.hpp.
//
// The implementation is chosen when the handle is created. Sockets, pipes and terminals try the system call first and
// wait for readiness in the event loop. Files are read from the page cache or by a worker thread.
//
// Concurrency and errors:
//   two readers             FIFO order: each gets the bytes after those of the previous reader
//   two writers             FIFO order: writes are not interleaved
//   close during a wait     every waiter gets ClosedError; data already read is returned
//   connection reset        every waiter wakes; a reader gets the data received before the reset, then ECONNRESET; a
//                           writer gets EPIPE or ECONNRESET, without SIGPIPE
//   end of stream           all data first, then 0 for every further read
//   interrupted write       after a cancellation, a timeout or a token: the bytes taken by the kernel stay written,
//                           bytes_written() gives their number, and the next writer continues
//   interrupted read        consumes no data; the next read gets the bytes
//   slow peer               the writer suspends; the library does not buffer
//
// Ownership: the descriptor, which the destructor closes.
// Lifetime: may outlive the runtime; then only close() works.
// Thread safety: one runtime.
// Errors: IoError ("read 127.0.0.1:6379: Connection reset by peer"), ClosedError, TimeoutError,
// OperationCancelled, Cancelled.
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/io/error.hpp"
#include "trueasync/io/stream.hpp"

namespace trueasync {

class File;
class IoRequest;

namespace detail {
class IoHandle;
struct Access;
}  // namespace detail

// IoKind: what a descriptor refers to. Unix-domain stream sockets count as pipe.
enum class IoKind : std::uint8_t { pipe, file, tcp, udp, tty };

// IoState: flags of a handle.
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
  Io(File&& file) noexcept;
  Io(Io&& other) noexcept;
  Io& operator=(Io&& other) noexcept;
  ~Io() override;

  // Takes ownership of an open descriptor and detects its kind. `name` is for error messages. Sockets, pipes and
  // terminals become non-blocking. Throws IoError; the descriptor then still belongs to the caller.
  static Io adopt(int descriptor, std::string name = {});

  explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  IoKind kind() const noexcept;
  IoState state() const noexcept;
  int descriptor() const noexcept;  // -1 once closed
  std::string_view name() const noexcept override;
  // The bytes transferred through this handle so far.
  std::uint64_t bytes_read() const noexcept;
  std::uint64_t bytes_written() const noexcept;

  std::size_t read_some(Bytes buffer, WaitOptions options = {},
                        SourceLocation location = SourceLocation::current()) override;
  std::size_t write_some(ConstBytes data, WaitOptions options = {},
                         SourceLocation location = SourceLocation::current()) override;
  using Stream::write_all;
  void write_all(std::span<const ConstBytes> pieces, WaitOptions options = {},
                 SourceLocation location = SourceLocation::current()) override;
  void shutdown_write(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) override;
  // Closes the handle; waiters get ClosedError. The descriptor is closed on return, or later if a worker thread still
  // uses a file. A second close has no effect.
  void close() noexcept override;

  // One operation as an event, for waiting on several events.
  Ref<IoRequest> read_request(Bytes buffer, SourceLocation location = SourceLocation::current());
  Ref<IoRequest> write_request(ConstBytes data, SourceLocation location = SourceLocation::current());

 private:
  friend struct detail::Access;
  explicit Io(Ref<detail::IoHandle> handle) noexcept;
  detail::IoHandle& handle() const;

  Ref<detail::IoHandle> handle_;
};

// IoRequest: one read or write as an event, for waiting on several requests or on a request together with timers and
// channels. It starts with the wait and completes once.
//
// A request that is destroyed before it completes has consumed no data from a stream; an operation on a file finishes
// on its own.
//
// Ownership: a share of its handle; for files also a copy of the bytes, because a worker thread uses them.
// Lifetime: the caller's buffer must stay valid until the request has completed or is destroyed.
// Thread safety: one runtime.
// Errors: result() throws the error of the operation.
class TRUEASYNC_EXPORT IoRequest : public Event {
 public:
  bool is_completed() const noexcept { return completed_; }
  // The number of bytes; 0 for a read at the end of the stream. Throws IoError; MisuseError before completion.
  virtual std::size_t result() const = 0;
  // errno, 0 without an error; EBADF if the handle was closed locally.
  int error() const noexcept { return error_ < 0 ? EBADF : error_; }
  // The bytes transferred so far, also of a write that was abandoned half way.
  std::size_t bytes() const noexcept { return bytes_; }

  bool replay(Notification& notification) const noexcept override {
    notification = {bytes_, nullptr};
    return completed_;
  }
  // The transferred bytes cannot be granted to another waiter: the waiter keeps them and gets a cancellation
  // afterwards.
  bool reclaim(Subscription&) noexcept override { return !completed_; }

 protected:
  using Event::Event;
  // The error as passed to complete().
  int outcome() const noexcept { return error_; }
  void progress(std::size_t bytes) noexcept { bytes_ = bytes; }
  void complete(std::size_t bytes, int error) noexcept {
    completed_ = true;
    bytes_ = bytes;
    error_ = error;
    notify({bytes, nullptr});
  }

 private:
  std::size_t bytes_ = 0;
  int error_ = 0;
  bool completed_ = false;
};

}  // namespace trueasync
