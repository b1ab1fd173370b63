// IoHandle: the object that an Io refers to. There is one class per I/O method: polling (StreamHandle: pipe, tcp, udp,
// tty) and page cache with worker threads (FileHandle).
//
// Lifetime: reference-counted. Every operation in flight holds a reference, so a handle may be closed or released
// concurrently.
// Thread safety: the runtime's thread.
// Errors: operations report I/O errors in an IoResult, for hosts that do not use C++ exceptions. They throw only
// MisuseError.
#pragma once

#include <span>
#include <string>

#include "trueasync/event.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync::detail {

// Result of an operation. `bytes` is valid also if the operation failed or was interrupted.
struct IoResult {
  std::size_t bytes = 0;
  int error = 0;                         // errno; kIoClosed if the handle was closed locally
  WakeReason reason = WakeReason::none;  // timed_out, token, cancelled, error: the wait was interrupted
  std::exception_ptr cause;              // with WakeReason::error and WakeReason::token

  bool ok() const noexcept { return error == 0 && (reason == WakeReason::none || reason == WakeReason::event); }
};
inline constexpr int kIoClosed = -1;

// IoWait: the options of one operation with a fixed deadline (start_wait), which all its waits share.
using IoWait = ::trueasync::WaitOptions;
// TimePoint::max() without a deadline.
inline TimePoint deadline_or_max(const IoWait& wait) noexcept {
  return wait.deadline(TimePoint()).value_or(TimePoint::max());
}
// The options of an operation that starts now.
inline IoWait start_wait(::trueasync::WaitOptions options) {
  return __builtin_expect(options.has_time(), 0) ? with_fixed_deadline(options) : options;
}

class IoHandle {
 public:
  IoHandle(const IoHandle&) = delete;
  IoHandle& operator=(const IoHandle&) = delete;

  IoKind kind() const noexcept { return kind_; }
  int descriptor() const noexcept { return fd_; }
  const std::string& name() const noexcept { return name_; }
  bool is_closed() const noexcept { return closed_; }
  IoState state() const noexcept { return {readable_ && !closed_, writable_ && !closed_, closed_, eof_, append_}; }
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  std::uint64_t bytes_written() const noexcept { return bytes_written_; }
  // Account for data that was moved without the calls below.
  void count_read(std::size_t bytes) noexcept { bytes_read_ += bytes; }
  void count_written(std::size_t bytes) noexcept { bytes_written_ += bytes; }

  // 0 bytes without an error mean end of stream.
  virtual IoResult read_some(Bytes buffer, IoWait wait, SourceLocation location) = 0;
  // Writes at least one byte.
  virtual IoResult write_some(ConstBytes data, IoWait wait, SourceLocation location) = 0;
  // Writes all pieces without interleaving with other writes.
  virtual IoResult write_all(std::span<const ConstBytes> pieces, IoWait wait, SourceLocation location) = 0;
  virtual IoResult shutdown_write(IoWait wait, SourceLocation location) = 0;
  virtual void close() noexcept = 0;

  // The request holds a reference to the handle.
  virtual Ref<IoRequest> read_request(Bytes buffer, SourceLocation location) = 0;
  virtual Ref<IoRequest> write_request(ConstBytes data, SourceLocation location) = 0;

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

 protected:
  IoHandle(IoKind kind, int fd, std::string name) : name_(std::move(name)), fd_(fd), kind_(kind) {}
  virtual ~IoHandle() = default;  // derived classes must call close() in their destructor

  std::string name_;
  int fd_;
  IoKind kind_;
  bool readable_ = true;
  bool writable_ = true;
  bool closed_ = false;
  bool eof_ = false;
  bool append_ = false;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_written_ = 0;

 private:
  unsigned references_ = 1;
};

// Throws the exception for a failed result: "read 10.0.0.1:80: Connection reset by peer".
void throw_io_error(const IoResult& outcome, const char* operation, const IoHandle& handle);
inline void check_io_result(const IoResult& outcome, const char* operation, const IoHandle& handle) {
  if (__builtin_expect(!outcome.ok(), 0)) throw_io_error(outcome, operation, handle);
}

// Throws the exception for an interrupted wait.
void throw_interruption(const IoResult& outcome);

// Suspends until `event` fires or the wait is interrupted.
IoResult wait_for_event(Event& event, IoWait wait, SourceLocation location);
// The result of a wait whose last entry is the token, if there is one.
IoResult to_io_result(WakeReason reason, WaitRequest& request) noexcept;
// Suspends for `delay` before the next attempt of an operation, but not beyond the deadline. Times out if the deadline
// has passed before.
IoResult wait_before_retry(Duration delay, IoWait wait, SourceLocation location);
// Yields, for an operation that has not waited for long. Checks the deadline afterwards.
IoResult yield_once(IoWait wait, SourceLocation location);

// Both take ownership of `fd`.
Ref<IoHandle> new_stream_handle(IoKind kind, int fd, std::string name);
Ref<IoHandle> new_file_handle(int fd, std::string name);

}  // namespace trueasync::detail
