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

#include "io/file_work.hpp"
#include "io/io_handle.hpp"
#include "io/turn_queue.hpp"

namespace trueasync::detail {

class PieceCursor;

class FileHandle final : public IoHandle {
 public:
  FileHandle(int fd, std::string name);

  IoOutcome read(Bytes buffer, IoDeadline deadline, Place place) override;
  IoOutcome write_some(ConstBytes data, IoDeadline deadline, Place place) override;
  IoOutcome write_all(std::span<const ConstBytes> pieces, IoDeadline deadline, Place place) override;
  IoOutcome shutdown_write(IoDeadline deadline, Place place) override;
  void close() noexcept override;
  Ref<IoRequest> read_request(Bytes buffer, Place place) override;
  Ref<IoRequest> write_request(ConstBytes data, Place place) override;

  // At an offset; these take no turns and leave the position alone.
  IoOutcome read_at(off_t offset, Bytes buffer, IoDeadline deadline, Place place);
  IoOutcome write_at(off_t offset, ConstBytes data, IoDeadline deadline, Place place);

  // When every operation at the position that came before is over. `result` is the new position.
  IoOutcome seek(off_t offset, int whence, std::int64_t& result, IoDeadline deadline, Place place);
  // sync, sync_data, truncate (to `argument`), size: always by a thread.
  IoOutcome call(FileCall call, off_t argument, std::int64_t& result, IoDeadline deadline, Place place);

  // For copies from the page cache: the bytes are there, or the file system is memory.
  bool is_cached(off_t offset, std::size_t bytes) noexcept;
  // Our turn at the position, and nothing of an earlier turn is under way. Every operation must have it.
  IoOutcome wait_turn(Turn& turn, IoDeadline deadline, Place place);
  TurnQueue& turns() noexcept { return turns_; }
  // One call by a thread; the outcome's bytes are those of a read or write.
  IoOutcome run_work(FileWork& work, IoDeadline deadline, Place place);
  void work_began(FileWork& work) noexcept;
  void work_ended(FileWork& work) noexcept;
  // Fires when the handle is closed: for whoever uses the file while it waits for something else.
  Event& closing();

 private:
  ~FileHandle() override;

  IoOutcome wait_for(Event& event, IoDeadline deadline, Place place);
  IoOutcome give_way(IoDeadline deadline, Place place);
  IoOutcome closed_or(int error) const noexcept { return {0, closed_ ? kIoClosed : error, WakeReason::none, nullptr}; }
  // -1 with EAGAIN: a thread must do it.
  ssize_t try_read(Bytes buffer, off_t offset) noexcept;
  bool is_at_end(off_t offset) const noexcept;
  ssize_t try_write(const iovec* pieces, int count, off_t offset) noexcept;
  IoOutcome read_by_thread(Bytes buffer, off_t offset, IoDeadline deadline, Place place);
  IoOutcome write_by_thread(PieceCursor& cursor, off_t offset, IoDeadline deadline, Place place);
  IoOutcome write_next(PieceCursor& cursor, off_t offset, IoDeadline deadline, Place place);
  void close_descriptor() noexcept;

  // So much may be done at once before the others have their turn; a call costs as much as some bytes.
  static constexpr std::size_t kImmediateMax = 256 * 1024;
  static constexpr std::size_t kCostOfCall = 4 * 1024;

  TurnQueue turns_;
  Ref<FileWork> at_position_;          // the last one; may be under way with nobody waiting
  IntrusiveList<FileWork> in_flight_;  // whoever waits for one of these is told when the handle is closed
  Ref<Event> closing_;                 // made when it is asked for
  std::size_t immediate_ = 0;
  bool nowait_reads_ = true;
  bool nowait_writes_ = true;
  bool is_memory_ = false;         // tmpfs: never blocks
  bool trust_page_cache_ = false;  // a local file system and plain buffered writes
};

}  // namespace trueasync::detail
