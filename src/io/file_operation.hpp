// FileOperation: one system call on a file that runs on a worker thread. The first wait submits it, so a cancelled
// coroutine starts nothing.
//
// Ownership: owns its buffer and a reference to its handle. The waiter may stop waiting and the handle may be closed or
// released while the operation is in flight.
// Lifetime: see WorkEvent.
// Thread safety: run() runs on a worker thread, everything else on the runtime's thread.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <memory>

#include "io/io_handle.hpp"
#include "reactor/work_event.hpp"

namespace trueasync::detail {

class FileHandle;

// Maximum size of one operation, and so of its buffer.
inline constexpr std::size_t kMaxFileOperationBytes = 1024 * 1024;
// Used as an offset: the file position.
inline constexpr off_t kAtPosition = -1;

enum class FileCall : std::uint8_t { read, write, sync, sync_data, truncate, size };

class FileOperation final : public WorkEvent, public ListHook {
 public:
  FileOperation(FileHandle& handle, FileCall call, off_t offset, std::size_t bytes);

  Bytes memory() noexcept { return {memory_.get(), bytes_}; }
  FileCall call() const noexcept { return call_; }
  bool is_at_position() const noexcept { return offset_ == kAtPosition; }
  // After completion: the return value of the call, and errno if it is negative. ECANCELED if the call never ran.
  std::int64_t result() const noexcept { return was_cancelled() ? -1 : result_; }
  int error() const noexcept { return was_cancelled() ? ECANCELED : error_; }

  void run() noexcept override;

 protected:
  ~FileOperation() override;
  // An operation that no worker thread has started is dropped with its last waiter.
  bool is_cancellable() const noexcept override { return true; }
  std::exception_ptr on_start() noexcept override;
  void on_finish() noexcept override;

 private:
  std::int64_t make_call() noexcept;
  std::int64_t read_at_position() noexcept;

  Ref<FileHandle> handle_;
  int fd_;
  FileCall call_;
  off_t offset_;
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> memory_;
  std::int64_t result_ = -1;
  int error_ = 0;
};

}  // namespace trueasync::detail
