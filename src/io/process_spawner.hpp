// What a new child gets: its standard streams as descriptors, and all that posix_spawn wants to know.
//
// Owns: the descriptors made for the child, and our ends of its pipes until they are taken. Errors: IoError.
#pragma once

#include <spawn.h>

#include <array>
#include <vector>

#include "io/unique_fd.hpp"
#include "trueasync/process.hpp"

namespace trueasync::detail {

class ProcessSpawner {
 public:
  explicit ProcessSpawner(const ProcessOptions& options);
  ProcessSpawner(const ProcessSpawner&) = delete;
  ProcessSpawner& operator=(const ProcessSpawner&) = delete;
  ~ProcessSpawner();

  // Starts the child; its number.
  int start();
  // Our end of the pipe to or from standard stream 0, 1 or 2; -1 where there is none.
  UniqueFd& parent_end(int stream) noexcept { return ours_[static_cast<std::size_t>(stream)]; }

 private:
  void direct(int stream, const Redirect& redirect);
  void make_pipe(int stream);
  void set_attributes();
  void list_texts();
  void raise_failure(int code) const;

  const ProcessOptions& options_;
  std::array<UniqueFd, 3> ours_;
  std::array<UniqueFd, 3> child_ends_;  // made for the child; ours are closed once it has them
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<char*> argv_;
  std::vector<char*> environment_;
};

}  // namespace trueasync::detail
