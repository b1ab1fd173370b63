// FileLock, and the members of File that lock.
#include <sys/file.h>

#include <algorithm>
#include <cerrno>

#include "io/file_handle.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync {

namespace {

// Backoff between attempts; it doubles after each attempt.
constexpr std::chrono::nanoseconds kInitialBackoff = std::chrono::milliseconds(1);
constexpr std::chrono::nanoseconds kMaxBackoff = std::chrono::milliseconds(50);

std::optional<FileLock> try_lock(detail::FileHandle& handle, LockMode mode) {
  const std::string operation = "lock " + handle.name();
  if (handle.is_closed()) throw ClosedError(operation);
  if (::flock(handle.descriptor(), (mode == LockMode::shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0) {
    return detail::Access::from_handle<FileLock>(Ref<detail::IoHandle>(&handle));
  }
  if (errno == EWOULDBLOCK || errno == EINTR) return std::nullopt;
  throw IoError(operation, errno);
}

}  // namespace

FileLock::FileLock(Ref<detail::IoHandle> handle) noexcept : handle_(std::move(handle)) {}
FileLock::FileLock(FileLock&& other) noexcept = default;
FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this != &other) {
    unlock();
    handle_ = std::move(other.handle_);
  }
  return *this;
}
FileLock::~FileLock() { unlock(); }

void FileLock::unlock() noexcept {
  if (handle_ && !handle_->is_closed()) ::flock(handle_->descriptor(), LOCK_UN);
  handle_ = nullptr;
}

std::optional<FileLock> File::try_lock(LockMode mode) { return trueasync::try_lock(detail::file_handle(*this), mode); }

FileLock File::lock(LockMode mode, WaitOptions options, SourceLocation location) {
  detail::require_scheduler("File::lock");
  // Keeps the handle alive: the File may be destroyed during the wait.
  const Ref<detail::FileHandle> handle(&detail::file_handle(*this));
  const detail::IoWait wait = detail::start_wait(options);
  std::chrono::nanoseconds backoff = kInitialBackoff;
  for (;;) {
    if (auto lock = trueasync::try_lock(*handle, mode)) return std::move(*lock);
    detail::check_io_result(detail::wait_before_retry(backoff, wait, location), "lock", *handle);
    backoff = std::min(backoff * 2, kMaxBackoff);
  }
}

}  // namespace trueasync
