// open_descriptors(): the open descriptors of this process, to find leaks.
#pragma once

#include <dirent.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace trueasync::test {

// The sorted entries of /proc/self/fd. They include the descriptor that reads the folder, in every call.
inline std::vector<std::string> open_descriptors() {
  std::vector<std::string> names;
  DIR* directory = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(directory)) names.emplace_back(entry->d_name);
  ::closedir(directory);
  std::sort(names.begin(), names.end());
  return names;
}

inline std::size_t count_open_descriptors() { return open_descriptors().size(); }

}  // namespace trueasync::test
