#include "interpose/stale_registrations.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace trueasync::detail::interpose {

void StaleRegistrations::add(int fd, ino_t node, Ref<DescriptorRegistration> registration, int epoll_fd) noexcept {
  try {
    entries_.push_back({fd, node, registration});
    if (entries_.size() >= sweep_threshold_) sweep(epoll_fd);
  } catch (...) {
    registration->retain();  // leak it: epoll may still report it
  }
}

// Reads the registrations of epoll from /proc, one line "tfd: <fd> events: … ino:<inode> sdev:…" for each.
void StaleRegistrations::sweep(int epoll_fd) {
  const std::string path = "/proc/self/fdinfo/" + std::to_string(epoll_fd);
  const std::unique_ptr<FILE, int (*)(FILE*)> list(std::fopen(path.c_str(), "re"), &std::fclose);
  sweep_threshold_ = 2 * entries_.size();
  if (!list) return;
  std::vector<std::pair<int, ino_t>> listed;
  char line[256];
  while (std::fgets(line, sizeof line, list.get())) {
    int fd = -1;
    unsigned long node = 0;
    if (std::sscanf(line, "tfd: %d events: %*x data: %*x pos:%*d ino:%lx", &fd, &node) == 2)
      listed.emplace_back(fd, node);
  }
  if (listed.empty()) return;  // the reactor has its own registrations, so the format must be unknown
  std::sort(listed.begin(), listed.end());
  std::erase_if(entries_, [&](const Entry& entry) {
    return !std::binary_search(listed.begin(), listed.end(), std::pair(entry.fd, entry.node));
  });
  sweep_threshold_ = std::max<std::size_t>(128, 2 * entries_.size());
}

}  // namespace trueasync::detail::interpose
