// file.hpp: opening files, positions and sizes. The contents are read and written through Io.
//
// A file has one position, that of its descriptor. Operations at the position are serialized in FIFO order, reads and
// writes alike. read_at() and write_at() have their own offsets, are not serialized and do not move the position. With
// `append`, every write goes to the current end of the file. A read that times out has consumed no data.
//
// Ownership: that of Io.
// Thread safety: one runtime. Requests that the page cache cannot answer run on worker threads, so a slow disk suspends
// only the calling coroutine.
// Errors: IoError, whose code() is errno (ENOENT, EEXIST, ENOSPC); MisuseError for a handle that is not a file. After a
// failed write, for example on a full disk, Io::bytes_written() gives the number of bytes written.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "trueasync/io.hpp"

namespace trueasync {

// FileMode: the access mode of open_file().
enum class FileMode : std::uint8_t { read, write, read_write };

// FileOptions: options of open_file().
struct FileOptions {
  FileMode mode = FileMode::read;  // default: read
  bool create = false;             // create the file if it does not exist; default: no
  bool truncate = false;           // empty an existing file; default: no
  bool append = false;             // every write goes to the end; default: no
  bool exclusive = false;          // create the file, fail with EEXIST if it exists; default: no
  unsigned permissions = 0666;     // of a new file, reduced by the umask; default 0666
};

// Opens a file on a worker thread. Named pipes, terminals and devices work as well; opening them never blocks.
TRUEASYNC_EXPORT Io open_file(std::string path, const FileOptions& options = {}, WaitOptions wait = {},
                              SourceLocation location = SourceLocation::current());

// Reads at an offset; returns 0 at the end of the file.
TRUEASYNC_EXPORT std::size_t read_at(Io& file, std::uint64_t offset, Bytes buffer, WaitOptions options = {},
                                     SourceLocation location = SourceLocation::current());
// Writes all bytes at an offset.
TRUEASYNC_EXPORT void write_at(Io& file, std::uint64_t offset, ConstBytes data, WaitOptions options = {},
                               SourceLocation location = SourceLocation::current());

// SeekFrom: the origin of a seek.
enum class SeekFrom : std::uint8_t { begin, current, end };

// Moves the position after all earlier operations at it; returns the new position.
TRUEASYNC_EXPORT std::uint64_t seek(Io& file, std::int64_t offset, SeekFrom from = SeekFrom::begin,
                                    WaitOptions options = {}, SourceLocation location = SourceLocation::current());
// The current position, after all earlier operations at it.
TRUEASYNC_EXPORT std::uint64_t position(Io& file, WaitOptions options = {},
                                        SourceLocation location = SourceLocation::current());

TRUEASYNC_EXPORT std::uint64_t file_size(Io& file, WaitOptions options = {},
                                         SourceLocation location = SourceLocation::current());
// Truncates the file or extends it with zeros. The position does not change.
TRUEASYNC_EXPORT void resize_file(Io& file, std::uint64_t size, WaitOptions options = {},
                                  SourceLocation location = SourceLocation::current());

// SyncMode: what sync_file() writes to the disk.
enum class SyncMode : std::uint8_t {
  all,   // contents and metadata (fsync)
  data,  // contents, and the metadata needed to read them (fdatasync)
};

// Returns when the data is on the disk.
TRUEASYNC_EXPORT void sync_file(Io& file, SyncMode mode = SyncMode::all, WaitOptions options = {},
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
