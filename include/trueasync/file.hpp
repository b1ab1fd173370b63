// Files: opening, positions, length. What is read from and written to a file goes through Io, as everywhere.
//
// Owns: what Io owns. Threads: the runtime's; what the page cache can't answer is done by threads of the loop's pool, so
// that a slow disk stops nobody but the one who waits for it. Errors: IoError with errno: code() is ENOENT, EEXIST,
// ENOSPC …; MisuseError for a handle that is no file. A write that fails half way, for example on a full disk, has
// written what Io::bytes_written() tells.
//
// A file has one position, that of its descriptor, and operations at it take turns: reads and writes alike. read_at and
// write_at have their own offsets, take no turns and do not move it. With `append` every write goes to the end that the
// file really has at that moment. Reading is never torn by a limit: a read that times out has taken nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "trueasync/io.hpp"

namespace trueasync {

enum class FileMode : std::uint8_t { read, write, read_write };

struct FileOptions {
  FileMode mode = FileMode::read;
  bool create = false;          // if there is none
  bool truncate = false;        // an existing file becomes empty
  bool append = false;          // every write goes to the end
  bool exclusive = false;       // it must not exist: EEXIST. Creates it
  unsigned permissions = 0666;  // of a new file, less the process's umask
};

// Opens by a thread. Pipes, terminals and devices by name work as well; they never block in opening.
TRUEASYNC_EXPORT Io open_file(std::string path, const FileOptions& options = {}, Limit timeout = std::nullopt,
                              SourceLocation location = SourceLocation::current());

// 0 at the end of the file.
TRUEASYNC_EXPORT std::size_t read_at(Io& file, std::uint64_t offset, Bytes buffer, Limit timeout = std::nullopt,
                                     SourceLocation location = SourceLocation::current());
// All of it.
TRUEASYNC_EXPORT void write_at(Io& file, std::uint64_t offset, ConstBytes data, Limit timeout = std::nullopt,
                               SourceLocation location = SourceLocation::current());

enum class SeekFrom : std::uint8_t { begin, current, end };

// Moves the position, after everything that was asked for before; returns the new one.
TRUEASYNC_EXPORT std::uint64_t seek(Io& file, std::int64_t offset, SeekFrom from = SeekFrom::begin,
                                    Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());
TRUEASYNC_EXPORT std::uint64_t position(Io& file, Limit timeout = std::nullopt,
                                        SourceLocation location = SourceLocation::current());

TRUEASYNC_EXPORT std::uint64_t file_size(Io& file, Limit timeout = std::nullopt,
                                         SourceLocation location = SourceLocation::current());
// Cuts, or extends with zeros. The position stays.
TRUEASYNC_EXPORT void resize_file(Io& file, std::uint64_t size, Limit timeout = std::nullopt,
                                  SourceLocation location = SourceLocation::current());

enum class SyncMode : std::uint8_t {
  all,   // contents and everything about the file
  data,  // contents, and what is needed to find them
};

// Returns when it is on the disk.
TRUEASYNC_EXPORT void sync_file(Io& file, SyncMode mode = SyncMode::all, Limit timeout = std::nullopt,
                                SourceLocation location = SourceLocation::current());

// The whole file. More than `max` bytes are a TooLongError.
TRUEASYNC_EXPORT std::string read_file(std::string path, std::size_t max = std::string().max_size(),
                                       SourceLocation location = SourceLocation::current());
// Creates the file or replaces what was in it.
TRUEASYNC_EXPORT void write_file(std::string path, std::string_view data,
                                 SourceLocation location = SourceLocation::current());

struct FileStatus {
  std::uint64_t size = 0;
  bool is_directory = false;
  unsigned permissions = 0;
  std::chrono::system_clock::time_point modified;
};

TRUEASYNC_EXPORT FileStatus file_status(std::string path, SourceLocation location = SourceLocation::current());
TRUEASYNC_EXPORT void remove_file(std::string path, SourceLocation location = SourceLocation::current());
// Replaces what was at `to`.
TRUEASYNC_EXPORT void rename_file(std::string from, std::string to,
                                  SourceLocation location = SourceLocation::current());

}  // namespace trueasync
