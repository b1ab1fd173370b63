#include "io/process_spawner.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "trueasync/error.hpp"

extern char** environ;

namespace trueasync::detail {

namespace {

// Moves the descriptor above the standard ones. If the program has closed a standard descriptor, a new descriptor gets
// its number, and the redirection of one stream would overwrite the source of the next.
UniqueFd move_above_standard(int fd, const char* operation) {
  if (fd < 0) throw IoError(operation, errno);
  if (fd > STDERR_FILENO) return UniqueFd(fd);
  UniqueFd low(fd);
  UniqueFd high(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (high.get() < 0) throw IoError(operation, errno);
  return high;
}

}  // namespace

ProcessSpawner::ProcessSpawner(const ProcessOptions& options) : options_(options) {
  if (options.argv.empty() || options.argv[0].empty())
    throw MisuseError("ProcessOptions::argv is empty or its first element is empty");
  ::posix_spawn_file_actions_init(&actions_);
  ::posix_spawnattr_init(&attributes_);
  try {
    redirect_stream(STDIN_FILENO, options.input);
    redirect_stream(STDOUT_FILENO, options.output);
    redirect_stream(STDERR_FILENO, options.error_output);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    if (!options.directory.empty()) ::posix_spawn_file_actions_addchdir_np(&actions_, options.directory.c_str());
    set_attributes();
    build_argument_lists();
  } catch (...) {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
    throw;
  }
}

ProcessSpawner::~ProcessSpawner() {
  ::posix_spawn_file_actions_destroy(&actions_);
  ::posix_spawnattr_destroy(&attributes_);
}

void ProcessSpawner::make_pipe(int stream) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw IoError("pipe", errno);
  UniqueFd reading(ends[0]);
  UniqueFd writing(ends[1]);
  reading = move_above_standard(reading.release(), "pipe");
  writing = move_above_standard(writing.release(), "pipe");
  const bool child_reads = stream == STDIN_FILENO;
  child_ends_[static_cast<std::size_t>(stream)] = std::move(child_reads ? reading : writing);
  parent_end(stream) = std::move(child_reads ? writing : reading);
}

void ProcessSpawner::redirect_stream(int stream, const Redirect& redirect) {
  UniqueFd& child_end = child_ends_[static_cast<std::size_t>(stream)];
  switch (redirect.kind()) {
    case Redirect::Kind::inherit:
      return;
    case Redirect::Kind::output:
      if (stream != STDERR_FILENO)
        throw MisuseError("Redirect::to_output: only standard error can be redirected to standard output");
      ::posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, stream);
      return;
    case Redirect::Kind::null:
      child_end = move_above_standard(::open("/dev/null", O_RDWR | O_CLOEXEC), "open /dev/null");
      break;
    case Redirect::Kind::pipe:
      make_pipe(stream);
      break;
    case Redirect::Kind::descriptor:
      child_end = move_above_standard(::fcntl(redirect.descriptor(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1),
                                      "redirect to descriptor");
      break;
  }
  ::posix_spawn_file_actions_adddup2(&actions_, child_end.get(), stream);
}

void ProcessSpawner::set_attributes() {
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  sigset_t signals;
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes_, &signals);
  // exec() resets handlers but not ignored signals. The library itself ignores SIGPIPE, see ignore_broken_pipes().
  ::sigaddset(&signals, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes_, &signals);
  if (options_.own_group) {
    flags |= POSIX_SPAWN_SETPGROUP;
    ::posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ::posix_spawnattr_setflags(&attributes_, flags);
}

void ProcessSpawner::build_argument_lists() {
  for (const std::string& entry : options_.argv) argv_.push_back(const_cast<char*>(entry.c_str()));
  argv_.push_back(nullptr);
  if (!options_.environment) return;
  for (const std::string& entry : *options_.environment) environment_.push_back(const_cast<char*>(entry.c_str()));
  environment_.push_back(nullptr);
}

// posix_spawn() returns the same errno for a failed chdir and a failed exec: this finds out which of them failed.
void ProcessSpawner::throw_failure(int code) const {
  struct stat info = {};
  const std::string& directory = options_.directory;
  if (!directory.empty()) {
    if (::stat(directory.c_str(), &info) != 0) throw IoError("chdir " + directory, errno);
    if (!S_ISDIR(info.st_mode)) throw IoError("chdir " + directory, ENOTDIR);
    if (::access(directory.c_str(), X_OK) != 0) throw IoError("chdir " + directory, errno);
  }
  throw IoError("exec " + options_.argv[0], code);
}

int ProcessSpawner::start() {
  pid_t pid = -1;
  char* const* environment = options_.environment ? environment_.data() : environ;
  const int code = ::posix_spawnp(&pid, argv_[0], &actions_, &attributes_, argv_.data(), environment);
  if (code != 0) throw_failure(code);
  for (UniqueFd& descriptor : child_ends_) descriptor = UniqueFd();
  return pid;
}

}  // namespace trueasync::detail
