// What a new child gets: its standard streams as descriptors, and all that posix_spawn wants to know.
//
// Owns: the descriptors made for the child, and our ends of its pipes until they are taken. Errors: IoError.
#pragma once

#include <spawn.h>

#include <array>
#include <vector>

#include "io/descriptor.hpp"
#include "trueasync/process.hpp"

namespace trueasync::detail {

class SpawnPlan {
 public:
  explicit SpawnPlan(const ProcessOptions& options);
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan();

  // Starts the child; its number.
  int start();
  // Our end of the pipe to or from standard stream 0, 1 or 2; -1 where there is none.
  Descriptor& ours(int stream) noexcept { return ours_[static_cast<std::size_t>(stream)]; }

 private:
  void direct(int stream, const Redirect& redirect);
  void make_pipe(int stream);
  void set_attributes();
  void list_texts();
  void raise_failure(int code) const;

  const ProcessOptions& options_;
  std::array<Descriptor, 3> ours_;
  std::array<Descriptor, 3> childs_;  // made for the child; ours are closed once it has them
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<char*> argv_;
  std::vector<char*> environment_;
};

}  // namespace trueasync::detail
