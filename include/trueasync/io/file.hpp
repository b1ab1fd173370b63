// File: an open file with a position, offsets, a size and locks. read_file() and write_file() cover whole files.
//
// A file has one position, that of its descriptor. Operations at the position are serialized in FIFO order, reads and
// writes alike. read_at() and write_at() have their own offsets, are not serialized and do not move the position. With
// `append`, every write goes to the current end of the file. An interrupted read has consumed no data.
//
// Ownership: the descriptor, which the destructor closes. A File can be moved into an Io.
// Lifetime: may outlive the runtime; then only close() works.
// Thread safety: one runtime. Requests that the page cache cannot answer run on worker threads, so a slow disk suspends
// only the calling coroutine.
// Errors: IoError, whose code() is errno (ENOENT, EEXIST, ENOSPC), ClosedError, TimeoutError, OperationCancelled,
// Cancelled; MisuseError for an empty File (default-constructed or moved from). After a failed write, for example on a
// full disk, bytes_written() gives the number of bytes written.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trueasync/io/io.hpp"

namespace trueasync {

// FileMode: the access mode of an open file.
enum class FileMode : std::uint8_t { read, write, read_write };

// FileOptions: options of File::open() and open_path().
struct FileOptions {
  FileMode mode = FileMode::read;  // default: read
  bool create = false;             // create the file if it does not exist; default: no
  bool truncate = false;           // empty an existing file; default: no
  bool append = false;             // every write goes to the end; default: no
  bool exclusive = false;          // create the file, fail with EEXIST if it exists; default: no
  unsigned permissions = 0666;     // of a new file, reduced by the umask; default 0666
};

// SeekFrom: the origin of a seek.
enum class SeekFrom : std::uint8_t { begin, current, end };

// SyncMode: what File::sync() writes to the disk.
enum class SyncMode : std::uint8_t {
  all,   // contents and metadata (fsync)
  data,  // contents, and the metadata needed to read them (fdatasync)
};

// LockMode: shared locks exclude only exclusive locks.
enum class LockMode : std::uint8_t { shared, exclusive };

// FileLock: an advisory lock on a whole file against other processes and other handles (flock). Two locks through the
// same File do not exclude each other: open the file twice.
// Ownership: the lock, which the destructor releases; a share of the file's handle.
class TRUEASYNC_EXPORT FileLock {
 public:
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();
  void unlock() noexcept;

 private:
  friend struct detail::Access;
  explicit FileLock(Ref<detail::IoHandle> handle) noexcept;

  Ref<detail::IoHandle> handle_;
};

class TRUEASYNC_EXPORT File final : public Stream {
 public:
  File() noexcept = default;
  // Takes over a handle of kind IoKind::file. MisuseError for any other handle, which then remains unchanged.
  explicit File(Io&& io);
  File(File&&) noexcept = default;
  File& operator=(File&&) noexcept = default;

  // Opens a file on a worker thread. MisuseError for a pipe, a terminal or another device that can be polled: use
  // open_path().
  static File open(std::string path, const FileOptions& options = {}, WaitOptions wait = {},
                   SourceLocation location = SourceLocation::current());

  explicit operator bool() const noexcept { return static_cast<bool>(io_); }
  IoState state() const noexcept { return io_.state(); }
  int descriptor() const noexcept { return io_.descriptor(); }  // -1 once closed
  std::string_view name() const noexcept override { return io_.name(); }
  // The bytes transferred through this handle so far.
  std::uint64_t bytes_read() const noexcept { return io_.bytes_read(); }
  std::uint64_t bytes_written() const noexcept { return io_.bytes_written(); }

  // At the position.
  std::size_t read_some(Bytes buffer, WaitOptions options = {},
                        SourceLocation location = SourceLocation::current()) override;
  std::size_t write_some(ConstBytes data, WaitOptions options = {},
                         SourceLocation location = SourceLocation::current()) override;
  using Stream::write_all;
  void write_all(std::span<const ConstBytes> pieces, WaitOptions options = {},
                 SourceLocation location = SourceLocation::current()) override;
  // Later writes fail; a file has no peer that would see its end.
  void shutdown_write(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) override;
  // Waiters get ClosedError. The descriptor is closed when no worker thread uses it any more.
  void close() noexcept override { io_.close(); }
  // Moves the position after all earlier operations at it; returns the new position.
  std::uint64_t seek(std::int64_t offset, SeekFrom from = SeekFrom::begin, WaitOptions options = {},
                     SourceLocation location = SourceLocation::current());
  // The current position, after all earlier operations at it.
  std::uint64_t position(WaitOptions options = {}, SourceLocation location = SourceLocation::current());

  // One operation at the position as an event, for waiting on several events.
  Ref<IoRequest> read_request(Bytes buffer, SourceLocation location = SourceLocation::current());
  Ref<IoRequest> write_request(ConstBytes data, SourceLocation location = SourceLocation::current());

  // Reads at an offset; returns 0 at the end of the file.
  std::size_t read_at(std::uint64_t offset, Bytes buffer, WaitOptions options = {},
                      SourceLocation location = SourceLocation::current());
  // Writes all bytes at an offset.
  void write_at(std::uint64_t offset, ConstBytes data, WaitOptions options = {},
                SourceLocation location = SourceLocation::current());

  std::uint64_t size(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Truncates the file or extends it with zeros. The position does not change.
  void resize(std::uint64_t size, WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Returns when the data is on the disk.
  void sync(SyncMode mode = SyncMode::all, WaitOptions options = {},
            SourceLocation location = SourceLocation::current());

  // Suspends until the lock is acquired. The wait occupies no thread: the lock is retried on a timer, so any number of
  // coroutines may wait.
  FileLock lock(LockMode mode = LockMode::exclusive, WaitOptions options = {},
                SourceLocation location = SourceLocation::current());
  // Never suspends. std::nullopt if the lock is held elsewhere.
  std::optional<FileLock> try_lock(LockMode mode = LockMode::exclusive);

 private:
  friend class Io;
  friend struct detail::Access;
  detail::IoHandle& handle() const;

  Io io_;  // empty, or of kind file
};

// Opens a path that may be a file, a named pipe, a terminal or a device. Opening never blocks.
TRUEASYNC_EXPORT Io open_path(std::string path, const FileOptions& options = {}, WaitOptions wait = {},
                              SourceLocation location = SourceLocation::current());

// Reads a whole file. TooLongError for more than `max` bytes.
TRUEASYNC_EXPORT std::string read_file(std::string path, std::size_t max = std::string().max_size(),
                                       WaitOptions options = {}, SourceLocation location = SourceLocation::current());
// Creates the file or replaces its contents.
TRUEASYNC_EXPORT void write_file(std::string path, std::string_view data, WaitOptions options = {},
                                 SourceLocation location = SourceLocation::current());

// FileStatus: the result of file_status().
struct FileStatus {
  std::uint64_t size = 0;
  bool is_directory = false;
  unsigned permissions = 0;
  std::chrono::system_clock::time_point modified;
};

TRUEASYNC_EXPORT FileStatus file_status(std::string path, WaitOptions options = {},
                                        SourceLocation location = SourceLocation::current());
TRUEASYNC_EXPORT void remove_file(std::string path, WaitOptions options = {},
                                  SourceLocation location = SourceLocation::current());
// Replaces an existing file at `to`.
TRUEASYNC_EXPORT void rename_file(std::string from, std::string to, WaitOptions options = {},
                                  SourceLocation location = SourceLocation::current());

}  // namespace trueasync
