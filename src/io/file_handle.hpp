// FileHandle: files, and devices that can't be polled. What the page cache can answer is done at once, on the loop's own
// thread; the rest by a thread (FileWork).
//
//   reads    RWF_NOWAIT, and a thread for what is not in memory. tmpfs knows no RWF_NOWAIT and never blocks: plainly
//   writes   RWF_NOWAIT where the file system has it (ext4 and tmpfs have not); on local file systems plainly, as long
//            as that proves to be quick (page_cache_trust.hpp); else a thread
//
// The position is the kernel's, so that a descriptor shared with other programs works as they expect, and nothing here
// can be stale (IO-23). Operations at the position take turns, reads and writes alike (IO-07): one that nobody waits for
// any more still has its turn until its thread is done.
//
// Owns: the descriptor, closed when no thread works on it any more. Threads: the runtime's.
#pragma once

#include <sys/uio.h>

#include "io/fifo_lock.hpp"
#include "io/file_operation.hpp"
#include "io/io_handle.hpp"

namespace trueasync::detail {

class IovecCursor;

class FileHandle final : public IoHandle {
 public:
  FileHandle(int fd, std::string name);

  IoResult read(Bytes buffer, IoDeadline deadline, SourceLocation location) override;
  IoResult write_some(ConstBytes data, IoDeadline deadline, SourceLocation location) override;
  IoResult write_all(std::span<const ConstBytes> pieces, IoDeadline deadline, SourceLocation location) override;
  IoResult shutdown_write(IoDeadline deadline, SourceLocation location) override;
  void close() noexcept override;
  Ref<IoRequest> read_request(Bytes buffer, SourceLocation location) override;
  Ref<IoRequest> write_request(ConstBytes data, SourceLocation location) override;

  // At an offset; these take no turns and leave the position alone.
  IoResult read_at(off_t offset, Bytes buffer, IoDeadline deadline, SourceLocation location);
  IoResult write_at(off_t offset, ConstBytes data, IoDeadline deadline, SourceLocation location);

  // When every operation at the position that came before is over. `result` is the new position.
  IoResult seek(off_t offset, int whence, std::int64_t& result, IoDeadline deadline, SourceLocation location);
  // sync, sync_data, truncate (to `argument`), size: always by a thread.
  IoResult call(FileCall call, off_t argument, std::int64_t& result, IoDeadline deadline, SourceLocation location);

  // For copies from the page cache: the bytes are there, or the file system is memory.
  bool is_cached(off_t offset, std::size_t bytes) noexcept;
  // Our turn at the position, and nothing of an earlier turn is under way. Every operation must have it.
  IoResult acquire_position(FifoLockRequest& turn, IoDeadline deadline, SourceLocation location);
  FifoLock& position_lock() noexcept { return turns_; }
  // One call by a thread; the outcome's bytes are those of a read or write.
  IoResult run_work(FileWork& work, IoDeadline deadline, SourceLocation location);
  void work_began(FileWork& work) noexcept;
  void work_ended(FileWork& work) noexcept;
  // Fires when the handle is closed: for whoever uses the file while it waits for something else.
  Event& closing();

 private:
  ~FileHandle() override;

  IoResult wait_for(Event& event, IoDeadline deadline, SourceLocation location);
  IoResult yield_for_fairness(IoDeadline deadline, SourceLocation location);
  IoResult closed_or(int error) const noexcept { return {0, closed_ ? kIoClosed : error, WakeReason::none, nullptr}; }
  // -1 with EAGAIN: a thread must do it.
  ssize_t try_read(Bytes buffer, off_t offset) noexcept;
  bool is_at_end(off_t offset) const noexcept;
  ssize_t try_write(const iovec* pieces, int count, off_t offset) noexcept;
  IoResult read_by_thread(Bytes buffer, off_t offset, IoDeadline deadline, SourceLocation location);
  IoResult write_by_thread(IovecCursor& cursor, off_t offset, IoDeadline deadline, SourceLocation location);
  IoResult write_next(IovecCursor& cursor, off_t offset, IoDeadline deadline, SourceLocation location);
  void close_descriptor() noexcept;

  // So much may be done at once before the others have their turn; a call costs as much as some bytes.
  static constexpr std::size_t kMaxInlineBytes = 256 * 1024;
  static constexpr std::size_t kCostOfCall = 4 * 1024;

  FifoLock turns_;
  Ref<FileWork> at_position_;          // the last one; may be under way with nobody waiting
  IntrusiveList<FileWork> in_flight_;  // whoever waits for one of these is told when the handle is closed
  Ref<Event> closing_;                 // made when it is asked for
  std::size_t inline_bytes_ = 0;
  bool nowait_reads_ = true;
  bool nowait_writes_ = true;
  bool is_memory_ = false;             // tmpfs: never blocks
  bool allows_inline_writes_ = false;  // a local file system and plain buffered writes
};

}  // namespace trueasync::detail
