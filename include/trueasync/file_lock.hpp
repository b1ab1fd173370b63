// FileLock: an advisory lock on a whole file against other processes and other handles (flock). A wait occupies no
// thread: the lock is retried on a timer, so any number of coroutines may wait.
//
// Two locks through the same handle do not exclude each other: open the file twice.
//
// Ownership: the lock, which the destructor releases; a share of the handle.
// Thread safety: one runtime.
// Errors: IoError, ClosedError, TimeoutError, OperationCancelled, Cancelled.
#pragma once

#include <optional>

#include "trueasync/io.hpp"

namespace trueasync {

// LockMode: shared locks exclude only exclusive locks.
enum class LockMode : std::uint8_t { shared, exclusive };

class TRUEASYNC_EXPORT FileLock {
 public:
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();
  void unlock() noexcept;

 private:
  friend TRUEASYNC_EXPORT std::optional<FileLock> try_lock_file(Io& file, LockMode mode);
  friend TRUEASYNC_EXPORT FileLock lock_file(Io& file, LockMode mode, WaitOptions options, SourceLocation location);
  static std::optional<FileLock> try_lock(detail::IoHandle& handle, LockMode mode);
  explicit FileLock(Ref<detail::IoHandle> handle) noexcept;

  Ref<detail::IoHandle> handle_;
};

// Never suspends. std::nullopt if the lock is held elsewhere.
TRUEASYNC_EXPORT std::optional<FileLock> try_lock_file(Io& file, LockMode mode = LockMode::exclusive);
// Suspends until the lock is acquired.
TRUEASYNC_EXPORT FileLock lock_file(Io& file, LockMode mode = LockMode::exclusive, WaitOptions options = {},
                                    SourceLocation location = SourceLocation::current());

}  // namespace trueasync
