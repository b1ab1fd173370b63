// Reads and writes of FileHandle: inline if the page cache allows it, otherwise on a worker thread.
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/file_handle.hpp"
#include "io/inline_write_policy.hpp"
#include "io/iovec_cursor.hpp"

namespace trueasync::detail {

namespace {

// Maximum size of one inline call: a larger one would block the event loop too long.
constexpr std::size_t kMaxInlineRead = 1024 * 1024;
constexpr std::size_t kMaxInlineWrite = 256 * 1024;

// Shared by all files of the thread: a write blocks because of the disk, which the files share.
constinit thread_local InlineWritePolicy inline_write_policy;

bool is_unsupported(int code) noexcept { return code == EOPNOTSUPP || code == ENOSYS || code == EINVAL; }

template <class Call>
ssize_t retry_interrupted(Call&& call) noexcept {
  ssize_t result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

ssize_t would_block() noexcept {
  errno = EAGAIN;
  return -1;
}

}  // namespace

// Linux 5.9 and 5.10 may return 0 for a read that would block, so the file size decides.
bool FileHandle::is_at_end(off_t offset) const noexcept {
  struct stat status = {};
  if (offset == kAtPosition) offset = ::lseek(fd_, 0, SEEK_CUR);
  return ::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode) || offset >= status.st_size;
}

ssize_t FileHandle::try_read(Bytes buffer, off_t offset) noexcept {
  const iovec piece{buffer.data(), std::min(buffer.size(), kMaxInlineRead)};
  if (nowait_reads_) {
    const ssize_t got = retry_interrupted([&] { return ::preadv2(fd_, &piece, 1, offset, RWF_NOWAIT); });
    if (got == 0 && !is_at_end(offset)) return would_block();
    if (got >= 0 || !is_unsupported(errno)) return got;
    nowait_reads_ = false;
  }
  if (!is_memory_) return would_block();
  return retry_interrupted([&] { return ::preadv2(fd_, &piece, 1, offset, 0); });
}

IoResult FileHandle::read_on_thread(Bytes buffer, off_t offset, IoWait wait, SourceLocation location) {
  const std::size_t size = std::min(buffer.size(), kMaxFileOperationBytes);
  auto operation = Ref<FileOperation>::adopt(new FileOperation(*this, FileCall::read, offset, size));
  IoResult outcome = run_operation(*operation, wait, location);
  if (!outcome.ok() || outcome.bytes == 0) return outcome;
  std::memcpy(buffer.data(), operation->memory().data(), outcome.bytes);
  if (offset == kAtPosition && !closed_) ::lseek(fd_, static_cast<off_t>(outcome.bytes), SEEK_CUR);
  return outcome;
}

IoResult FileHandle::read_at(off_t offset, Bytes buffer, IoWait wait, SourceLocation location) {
  if (closed_ || !readable_) return closed_or(EBADF);
  if (buffer.empty()) return {};
  Ref<IoHandle> keep_alive(this);
  if (IoResult outcome = yield_for_fairness(wait, location); !outcome.ok()) return outcome;
  IoResult outcome;
  const ssize_t got = try_read(buffer, offset);
  if (got >= 0) {
    outcome.bytes = static_cast<std::size_t>(got);
    inline_bytes_ += outcome.bytes + kCallCostBytes;
  } else if (errno == EAGAIN) {
    outcome = read_on_thread(buffer, offset, wait, location);
  } else {
    outcome = closed_or(errno);
  }
  bytes_read_ += outcome.bytes;
  return outcome;
}

IoResult FileHandle::read_some(Bytes buffer, IoWait wait, SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(position_lock_);
  if (IoResult outcome = acquire_position(lock, wait, location); !outcome.ok()) return outcome;
  IoResult outcome = read_at(kAtPosition, buffer, wait, location);
  if (outcome.ok() && !buffer.empty()) eof_ = outcome.bytes == 0;
  return outcome;
}

ssize_t FileHandle::try_write(const iovec* pieces, int count, off_t offset) noexcept {
  if (nowait_writes_) {
    const ssize_t taken = retry_interrupted([&] { return ::pwritev2(fd_, pieces, count, offset, RWF_NOWAIT); });
    if (taken >= 0 || !is_unsupported(errno)) return taken;
    nowait_writes_ = false;
  }
  if (!allows_inline_writes_) return would_block();
  const TimePoint begin = Clock::now();
  if (!inline_write_policy.allows_inline(begin)) return would_block();
  const ssize_t taken = retry_interrupted([&] { return ::pwritev2(fd_, pieces, count, offset, 0); });
  const int error = errno;
  inline_write_policy.record(begin, Clock::now());
  errno = error;
  return taken;
}

IoResult FileHandle::write_on_thread(IovecCursor& cursor, off_t offset, IoWait wait, SourceLocation location) {
  const std::size_t size = cursor.remaining(kMaxFileOperationBytes);
  auto operation = Ref<FileOperation>::adopt(new FileOperation(*this, FileCall::write, offset, size));
  cursor.copy_to(operation->memory());
  return run_operation(*operation, wait, location);
}

// Writes at least one byte or fails.
IoResult FileHandle::write_next(IovecCursor& cursor, off_t offset, IoWait wait, SourceLocation location) {
  if (IoResult outcome = yield_for_fairness(wait, location); !outcome.ok()) return outcome;
  iovec entries[IovecCursor::kMaxEntries];
  const int count = cursor.next(entries, kMaxInlineWrite);
  const ssize_t taken = try_write(entries, count, offset);
  IoResult outcome;
  if (taken >= 0) {
    outcome.bytes = static_cast<std::size_t>(taken);
    bytes_written_ += outcome.bytes;
    inline_bytes_ += outcome.bytes + kCallCostBytes;
  } else if (errno == EAGAIN) {
    outcome = write_on_thread(cursor, offset, wait, location);
  } else {
    outcome = closed_or(errno);
  }
  if (outcome.ok() && outcome.bytes == 0) return closed_or(EIO);  // a device that accepts no data
  cursor.advance(outcome.bytes);
  return outcome;
}

IoResult FileHandle::write_some(ConstBytes data, IoWait wait, SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(position_lock_);
  if (IoResult outcome = acquire_position(lock, wait, location); !outcome.ok()) return outcome;
  if (!writable_) return closed_or(EBADF);
  if (data.empty()) return {};
  IovecCursor cursor({&data, 1});
  return write_next(cursor, kAtPosition, wait, location);
}

IoResult FileHandle::write_all(std::span<const ConstBytes> pieces, IoWait wait, SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(position_lock_);
  IoResult outcome = acquire_position(lock, wait, location);
  if (outcome.ok() && !writable_) outcome = closed_or(EBADF);
  std::size_t done = 0;
  for (IovecCursor cursor(pieces); outcome.ok() && !cursor.is_done(); done += outcome.bytes) {
    outcome = closed_ ? closed_or(0) : write_next(cursor, kAtPosition, wait, location);
  }
  outcome.bytes = done;
  return outcome;
}

IoResult FileHandle::write_at(off_t offset, ConstBytes data, IoWait wait, SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  IoResult outcome;
  if (closed_ || !writable_) outcome = closed_or(EBADF);
  std::size_t done = 0;
  for (IovecCursor cursor({&data, 1}); outcome.ok() && !cursor.is_done(); done += outcome.bytes) {
    outcome = closed_ ? closed_or(0) : write_next(cursor, offset + static_cast<off_t>(done), wait, location);
  }
  outcome.bytes = done;
  return outcome;
}

bool FileHandle::is_cached(off_t offset, std::size_t bytes) noexcept {
  if (is_memory_) return true;
  std::byte probe[1];
  return bytes != 0 && try_read(probe, offset) == 1 && try_read(probe, offset + static_cast<off_t>(bytes) - 1) == 1;
}

}  // namespace trueasync::detail
