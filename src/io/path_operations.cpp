// Operations on paths: open, whole files, status, remove and rename.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "io/blocking_call.hpp"
#include "trueasync/error.hpp"
#include "trueasync/io/buffered_reader.hpp"
#include "trueasync/io/file.hpp"

namespace trueasync {

namespace {

// Closes the descriptor unless it was taken: the waiter may have stopped waiting before the open completed.
struct OpenCall {
  OpenCall(const std::string& file_path, int open_flags, unsigned mode)
      : path(file_path), flags(open_flags), permissions(mode) {}
  OpenCall(OpenCall&& other) noexcept
      : path(std::move(other.path)),
        flags(other.flags),
        permissions(other.permissions),
        fd(std::exchange(other.fd, -1)) {}
  ~OpenCall() {
    if (fd >= 0) ::close(fd);
  }

  int operator()() noexcept {
    do {
      fd = ::open(path.c_str(), flags, permissions);
    } while (fd < 0 && errno == EINTR);
    return fd < 0 ? errno : 0;
  }

  std::string path;
  int flags;
  unsigned permissions;
  int fd = -1;
};

int to_open_flags(const FileOptions& options) {
  if (options.mode == FileMode::read && (options.append || options.truncate)) {
    throw MisuseError("FileOptions: append and truncate need a mode other than FileMode::read");
  }
  // O_NONBLOCK: opening a named pipe without a writer must not block a worker thread. It has no effect on files.
  int flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  flags |= options.mode == FileMode::read ? O_RDONLY : options.mode == FileMode::write ? O_WRONLY : O_RDWR;
  if (options.create || options.exclusive) flags |= O_CREAT;
  if (options.exclusive) flags |= O_EXCL;
  if (options.truncate) flags |= O_TRUNC;
  if (options.append) flags |= O_APPEND;
  return flags;
}

// Runs `call` on a worker thread and returns it. Throws IoError if it fails.
template <class Call>
Call run_on_thread(const char* operation, const std::string& path, Call call, WaitOptions options,
                   SourceLocation location) {
  auto work = detail::run_blocking(operation, std::move(call), options, location);
  if (work->error != 0) throw IoError(std::string(operation) + " " + path, work->error);
  return std::move(work->call);
}

}  // namespace

Io open_path(std::string path, const FileOptions& options, WaitOptions wait, SourceLocation location) {
  OpenCall call(path, to_open_flags(options), options.permissions);
  auto work = detail::run_blocking("open", std::move(call), wait, location);
  if (work->error != 0) throw IoError("open " + path, work->error);
  Io io = Io::adopt(work->call.fd, std::move(path));
  work->call.fd = -1;
  return io;
}

File File::open(std::string path, const FileOptions& options, WaitOptions wait, SourceLocation location) {
  Io io = open_path(path, options, wait, location);
  if (io.kind() != IoKind::file) throw MisuseError("open " + path + ": not a file; use open_path()");
  return File(std::move(io));
}

std::string read_file(std::string path, std::size_t max, WaitOptions options, SourceLocation location) {
  options = detail::start_wait(options);
  Io file = open_path(std::move(path), {}, options, location);
  return read_all(file, max, options, location);
}

void write_file(std::string path, std::string_view data, WaitOptions options, SourceLocation location) {
  options = detail::start_wait(options);
  const FileOptions file_options{.mode = FileMode::write, .create = true, .truncate = true};
  Io file = open_path(std::move(path), file_options, options, location);
  file.write_all(data, options, location);
}

FileStatus file_status(std::string path, WaitOptions options, SourceLocation location) {
  struct StatCall {
    int operator()() noexcept { return ::stat(path.c_str(), &status) == 0 ? 0 : errno; }
    std::string path;
    struct stat status = {};
  };
  const struct stat status = run_on_thread("stat", path, StatCall{path}, options, location).status;
  const auto since_epoch =
      std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  return {static_cast<std::uint64_t>(status.st_size), S_ISDIR(status.st_mode), status.st_mode & 07777u,
          std::chrono::system_clock::time_point(since_epoch)};
}

void remove_file(std::string path, WaitOptions options, SourceLocation location) {
  run_on_thread(
      "remove", path, [path]() noexcept { return ::unlink(path.c_str()) == 0 ? 0 : errno; }, options, location);
}

void rename_file(std::string from, std::string to, WaitOptions options, SourceLocation location) {
  auto call = [from, to]() noexcept { return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno; };
  run_on_thread("rename", from, std::move(call), options, location);
}

}  // namespace trueasync
