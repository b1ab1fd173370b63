// FileHandle: files, and devices that cannot be polled. Operations that the page cache can complete run inline on the
// runtime's thread, all others on a worker thread (FileOperation).
//
//   reads    inline with RWF_NOWAIT, on a worker thread if the data is not cached. tmpfs does not support RWF_NOWAIT
//            but never blocks: inline
//   writes   inline with RWF_NOWAIT if the file system supports it (ext4 and tmpfs do not); inline without it on local
//            file systems while such writes are fast (inline_write_policy.hpp); otherwise on a worker thread
//
// The file position is the kernel's, because the descriptor may be shared with other processes. Reads and writes at the
// position are serialized by one FIFO lock. An operation keeps the position until its worker thread has finished, also
// if its waiter has stopped waiting.
//
// Ownership: owns the descriptor; closes it when no worker thread uses it any more.
// Thread safety: the runtime's thread.
#pragma once

#include <sys/uio.h>

#include "io/fifo_lock.hpp"
#include "io/file_operation.hpp"
#include "io/io_handle.hpp"
#include "trueasync/detail/access.hpp"
#include "trueasync/io/file.hpp"

namespace trueasync::detail {

class IovecCursor;

class FileHandle final : public IoHandle {
 public:
  FileHandle(int fd, std::string name);

  IoResult read_some(Bytes buffer, IoWait wait, SourceLocation location) override;
  IoResult write_some(ConstBytes data, IoWait wait, SourceLocation location) override;
  IoResult write_all(std::span<const ConstBytes> pieces, IoWait wait, SourceLocation location) override;
  IoResult shutdown_write(IoWait wait, SourceLocation location) override;
  void close() noexcept override;
  Ref<IoRequest> read_request(Bytes buffer, SourceLocation location) override;
  Ref<IoRequest> write_request(ConstBytes data, SourceLocation location) override;

  // At an offset: without the position lock; the position does not change.
  IoResult read_at(off_t offset, Bytes buffer, IoWait wait, SourceLocation location);
  IoResult write_at(off_t offset, ConstBytes data, IoWait wait, SourceLocation location);

  // Waits for all earlier operations at the position. `result` is the new position.
  IoResult seek(off_t offset, int whence, std::int64_t& result, IoWait wait, SourceLocation location);
  // sync, sync_data, truncate (to `argument`) and size: always on a worker thread.
  IoResult call(FileCall call, off_t argument, std::int64_t& result, IoWait wait, SourceLocation location);

  // Whether the range can be read without blocking: it is in the page cache or the file system is in memory.
  bool is_cached(off_t offset, std::size_t bytes) noexcept;
  // Acquires the position lock and waits for abandoned operations at the position. Every operation at the position
  // needs it.
  IoResult acquire_position(FifoLockRequest& lock, IoWait wait, SourceLocation location);
  FifoLock& position_lock() noexcept { return position_lock_; }
  // Runs one operation on a worker thread. The result has the bytes of a read or write.
  IoResult run_operation(FileOperation& operation, IoWait wait, SourceLocation location);
  void on_operation_started(FileOperation& operation) noexcept;
  void on_operation_finished(FileOperation& operation) noexcept;
  // Fires when the handle is closed: for a user of the file that waits for something else.
  Event& close_event();

 private:
  ~FileHandle() override;

  IoResult wait_for(Event& event, IoWait wait, SourceLocation location);
  IoResult yield_for_fairness(IoWait wait, SourceLocation location);
  IoResult closed_or(int error) const noexcept { return {0, closed_ ? kIoClosed : error, WakeReason::none, nullptr}; }
  // -1 with EAGAIN: the operation needs a worker thread.
  ssize_t try_read(Bytes buffer, off_t offset) noexcept;
  bool is_at_end(off_t offset) const noexcept;
  ssize_t try_write(const iovec* pieces, int count, off_t offset) noexcept;
  IoResult read_on_thread(Bytes buffer, off_t offset, IoWait wait, SourceLocation location);
  IoResult write_on_thread(IovecCursor& cursor, off_t offset, IoWait wait, SourceLocation location);
  IoResult write_next(IovecCursor& cursor, off_t offset, IoWait wait, SourceLocation location);
  void close_descriptor() noexcept;

  // Inline operations yield after this many bytes. Each call counts as kCallCostBytes in addition to its bytes.
  static constexpr std::size_t kMaxInlineBytes = 256 * 1024;
  static constexpr std::size_t kCallCostBytes = 4 * 1024;

  FifoLock position_lock_;
  Ref<FileOperation> at_position_;          // the last operation at the position; may be in flight without a waiter
  IntrusiveList<FileOperation> in_flight_;  // their waiters wake when the handle is closed
  Ref<Event> close_event_;                  // created on first use
  std::size_t inline_bytes_ = 0;
  bool nowait_reads_ = true;
  bool nowait_writes_ = true;
  bool is_memory_ = false;             // tmpfs, ramfs: never blocks
  bool allows_inline_writes_ = false;  // local file system and buffered writes
};

// Throws MisuseError for a File without a file.
inline FileHandle& file_handle(const File& file) { return static_cast<FileHandle&>(Access::handle(file)); }

// Reads and writes as requests. A coroutine does the work on a buffer of the request, so the request may be destroyed
// at any time. A request moves at most kMaxFileOperationBytes.
Ref<IoRequest> new_file_read(FileHandle& handle, Bytes buffer, SourceLocation location);
Ref<IoRequest> new_file_write(FileHandle& handle, ConstBytes data, SourceLocation location);

}  // namespace trueasync::detail
