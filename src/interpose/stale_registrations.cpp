#include "interpose/stale_registrations.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace trueasync::detail::interpose {

void StaleRegistrations::add(int fd, ino_t node, Ref<DescriptorRegistration> watch, int epoll) noexcept {
  try {
    orphans_.push_back({fd, node, watch});
    if (orphans_.size() >= sweep_at_) sweep(epoll);
  } catch (...) {
    watch->retain();  // for ever, rather than freed while the kernel knows it
  }
}

// The kernel's own list: a line "tfd: <number> events: … ino:<node> sdev:…" for each.
void StaleRegistrations::sweep(int epoll) {
  const std::string path = "/proc/self/fdinfo/" + std::to_string(epoll);
  const std::unique_ptr<FILE, int (*)(FILE*)> list(std::fopen(path.c_str(), "re"), &std::fclose);
  sweep_at_ = 2 * orphans_.size();
  if (!list) return;
  std::vector<std::pair<int, ino_t>> known;
  char line[256];
  while (std::fgets(line, sizeof line, list.get())) {
    int fd = -1;
    unsigned long node = 0;
    if (std::sscanf(line, "tfd: %d events: %*x data: %*x pos:%*d ino:%lx", &fd, &node) == 2)
      known.emplace_back(fd, node);
  }
  if (known.empty()) return;  // not even libuv's: it is written in another way
  std::sort(known.begin(), known.end());
  std::erase_if(orphans_, [&](const Orphan& orphan) {
    return !std::binary_search(known.begin(), known.end(), std::pair(orphan.fd, orphan.node));
  });
  sweep_at_ = std::max<std::size_t>(128, 2 * orphans_.size());
}

}  // namespace trueasync::detail::interpose
