#include "io/file_operation.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "io/blocking_call.hpp"
#include "io/file_handle.hpp"

namespace trueasync::detail {

namespace {

const char* description(FileCall call) noexcept {
  switch (call) {
    case FileCall::read:
      return "a read from a file";
    case FileCall::write:
      return "a write to a file";
    case FileCall::sync:
    case FileCall::sync_data:
      return "a file to reach the disk";
    case FileCall::truncate:
      return "a file's new length";
    case FileCall::size:
      return "a file's length";
  }
  return "a file";
}

// One full-sized piece of memory per thread is kept: a fresh one costs its page faults each time.
thread_local std::unique_ptr<std::byte[]> spare;
constexpr bool is_kept(std::size_t bytes) noexcept { return bytes > kFileWorkBytes / 32; }

std::unique_ptr<std::byte[]> new_memory(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (!is_kept(bytes)) return std::unique_ptr<std::byte[]>(new std::byte[bytes]);
  if (spare) return std::move(spare);
  return std::unique_ptr<std::byte[]>(new std::byte[kFileWorkBytes]);
}

}  // namespace

FileWork::FileWork(FileHandle& handle, FileCall call, off_t offset, std::size_t bytes)
    : WorkEvent(description(call)),
      handle_(&handle),
      fd_(handle.descriptor()),
      call_(call),
      offset_(offset),
      bytes_(bytes),
      memory_(new_memory(bytes)) {}

FileWork::~FileWork() {
  if (memory_ && is_kept(bytes_) && !spare) spare = std::move(memory_);
}

void FileWork::run() noexcept {
  do {
    result_ = make_call();
  } while (result_ < 0 && errno == EINTR);
  if (result_ < 0) error_ = errno;
}

std::int64_t FileWork::make_call() noexcept {
  switch (call_) {
    case FileCall::read:
      return offset_ == kAtPosition ? read_at_position() : ::pread(fd_, memory_.get(), bytes_, offset_);
    case FileCall::write:
      // Also when it is at the position: what was written stays written, whoever has stopped waiting.
      return offset_ == kAtPosition ? ::write(fd_, memory_.get(), bytes_)
                                    : ::pwrite(fd_, memory_.get(), bytes_, offset_);
    case FileCall::sync:
      return ::fsync(fd_);
    case FileCall::sync_data:
      return ::fdatasync(fd_);
    case FileCall::truncate:
      return ::ftruncate(fd_, offset_);
    case FileCall::size: {
      struct stat status = {};
      return ::fstat(fd_, &status) == 0 ? std::int64_t{status.st_size} : -1;
    }
  }
  return -1;
}

// The position moves only when the bytes are handed over: a read that nobody waits for any more has taken nothing.
std::int64_t FileWork::read_at_position() noexcept {
  const off_t position = ::lseek(fd_, 0, SEEK_CUR);
  if (position >= 0) return ::pread(fd_, memory_.get(), bytes_, position);
  return errno == ESPIPE ? ::read(fd_, memory_.get(), bytes_) : -1;
}

std::exception_ptr FileWork::on_start() noexcept {
  if (is_in_flight() || is_done()) return nullptr;
  if (auto error = submit_now(*this)) return error;
  handle_->work_began(*this);
  return nullptr;
}

void FileWork::on_finish() noexcept { handle_->work_ended(*this); }

}  // namespace trueasync::detail
