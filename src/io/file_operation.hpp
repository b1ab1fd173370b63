// FileWork: one system call on a file that a thread makes.
//
// It is submitted by the first wait for it: one that is refused – the coroutine is cancelled – begins nothing.
//
// Owns: the bytes it works on (CA-10) and a share of its handle (IO-03), so that whoever waits may leave, and whoever
// has the handle may close or drop it. Lifetime: see WorkEvent. Threads: run() on a thread of the pool; everything else
// on the runtime's.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <memory>

#include "io/io_handle.hpp"
#include "reactor/work_event.hpp"

namespace trueasync::detail {

class FileHandle;

// The most that a thread moves at once: the copy that a request needs is never larger.
inline constexpr std::size_t kFileWorkBytes = 1024 * 1024;
// Instead of an offset: where the file stands.
inline constexpr off_t kAtPosition = -1;

enum class FileCall : std::uint8_t { read, write, sync, sync_data, truncate, size };

class FileWork final : public WorkEvent, public ListHook {
 public:
  FileWork(FileHandle& handle, FileCall call, off_t offset, std::size_t bytes);

  Bytes memory() noexcept { return {memory_.get(), bytes_}; }
  FileCall call() const noexcept { return call_; }
  bool is_at_position() const noexcept { return offset_ == kAtPosition; }
  // Once it is done: what the call returned, and errno if that is less than zero. ECANCELED when it never ran.
  std::int64_t result() const noexcept { return was_cancelled() ? -1 : result_; }
  int error() const noexcept { return was_cancelled() ? ECANCELED : error_; }

  void run() noexcept override;

 protected:
  ~FileWork() override;
  // What no thread has begun with when its last waiter leaves is never done.
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
