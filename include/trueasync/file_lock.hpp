// FileLock: an advisory lock on a whole file, against other processes and other handles (flock). Waiting for it occupies
// no thread: it is tried, and tried again by a timer, so any number may wait (IO-27).
//
// Owns: the lock, given back by the destructor; a share of the handle. Threads: the runtime's. Errors: IoError,
// ClosedError, TimeoutError, Cancelled. Two locks on the same handle do not exclude each other: open the file twice.
#pragma once

#include <optional>

#include "trueasync/io.hpp"

namespace trueasync {

enum class LockMode : std::uint8_t { shared, exclusive };

class TRUEASYNC_EXPORT FileLock {
 public:
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();
  void unlock() noexcept;

 private:
  friend TRUEASYNC_EXPORT std::optional<FileLock> try_lock_file(Io& file, LockMode mode);
  friend TRUEASYNC_EXPORT FileLock lock_file(Io& file, LockMode mode, Limit timeout, SourceLocation location);
  static std::optional<FileLock> try_lock(detail::IoHandle& handle, LockMode mode);
  explicit FileLock(Ref<detail::IoHandle> handle) noexcept;

  Ref<detail::IoHandle> handle_;
};

// Nothing: somebody else has it.
TRUEASYNC_EXPORT std::optional<FileLock> try_lock_file(Io& file, LockMode mode = LockMode::exclusive);
TRUEASYNC_EXPORT FileLock lock_file(Io& file, LockMode mode = LockMode::exclusive, Limit timeout = std::nullopt,
                                    SourceLocation location = SourceLocation::current());

}  // namespace trueasync
