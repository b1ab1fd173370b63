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
      return "a file sync";
    case FileCall::truncate:
      return "a change of a file's size";
    case FileCall::size:
      return "a file's size";
  }
  return "a file";
}

// Each thread keeps one buffer of the maximum size: a new one costs page faults every time.
thread_local std::unique_ptr<std::byte[]> spare_buffer;
constexpr bool is_reused(std::size_t bytes) noexcept { return bytes > kMaxFileOperationBytes / 32; }

std::unique_ptr<std::byte[]> new_buffer(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (!is_reused(bytes)) return std::unique_ptr<std::byte[]>(new std::byte[bytes]);
  if (spare_buffer) return std::move(spare_buffer);
  return std::unique_ptr<std::byte[]>(new std::byte[kMaxFileOperationBytes]);
}

}  // namespace

FileOperation::FileOperation(FileHandle& handle, FileCall call, off_t offset, std::size_t bytes)
    : WorkEvent(description(call)),
      handle_(&handle),
      fd_(handle.descriptor()),
      call_(call),
      offset_(offset),
      bytes_(bytes),
      memory_(new_buffer(bytes)) {}

FileOperation::~FileOperation() {
  if (memory_ && is_reused(bytes_) && !spare_buffer) spare_buffer = std::move(memory_);
}

void FileOperation::run() noexcept {
  do {
    result_ = make_call();
  } while (result_ < 0 && errno == EINTR);
  if (result_ < 0) error_ = errno;
}

std::int64_t FileOperation::make_call() noexcept {
  switch (call_) {
    case FileCall::read:
      return offset_ == kAtPosition ? read_at_position() : ::pread(fd_, memory_.get(), bytes_, offset_);
    case FileCall::write:
      // At the position write() moves the position itself: the data stays written, also if the waiter stopped waiting.
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

// Leaves the position unchanged: it moves when the data is delivered. A read without a waiter so consumes nothing.
std::int64_t FileOperation::read_at_position() noexcept {
  const off_t position = ::lseek(fd_, 0, SEEK_CUR);
  if (position >= 0) return ::pread(fd_, memory_.get(), bytes_, position);
  return errno == ESPIPE ? ::read(fd_, memory_.get(), bytes_) : -1;
}

std::exception_ptr FileOperation::on_start() noexcept {
  if (is_in_flight() || is_done()) return nullptr;
  if (auto error = submit_now(*this)) return error;
  handle_->on_operation_started(*this);
  return nullptr;
}

void FileOperation::on_finish() noexcept { handle_->on_operation_finished(*this); }

}  // namespace trueasync::detail
