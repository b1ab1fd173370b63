// ProcessSpawner: prepares the standard streams and the posix_spawn() arguments of a child process, and starts it.
//
// Ownership: owns the descriptors opened for the child, and the parent's ends of its pipes until they are taken.
// Lifetime: the options must outlive the spawner.
// Errors: throws IoError, and MisuseError for invalid options.
#pragma once

#include <spawn.h>

#include <array>
#include <vector>

#include "io/unique_fd.hpp"
#include "trueasync/io/process.hpp"

namespace trueasync::detail {

class ProcessSpawner {
 public:
  explicit ProcessSpawner(const ProcessOptions& options);
  ProcessSpawner(const ProcessSpawner&) = delete;
  ProcessSpawner& operator=(const ProcessSpawner&) = delete;
  ~ProcessSpawner();

  // Starts the child and returns its pid.
  int start();
  // The parent's end of the pipe of standard stream 0, 1 or 2; empty without a pipe.
  UniqueFd& parent_end(int stream) noexcept { return parent_ends_[static_cast<std::size_t>(stream)]; }

 private:
  void redirect_stream(int stream, const Redirect& redirect);
  void make_pipe(int stream);
  void set_attributes();
  void build_argument_lists();
  void throw_failure(int code) const;

  const ProcessOptions& options_;
  std::array<UniqueFd, 3> parent_ends_;
  std::array<UniqueFd, 3> child_ends_;  // closed after the child was started
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<char*> argv_;
  std::vector<char*> environment_;
};

}  // namespace trueasync::detail
