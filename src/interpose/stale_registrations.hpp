// StaleRegistrations: registrations of descriptors that were closed without notification. While the file stays open
// elsewhere (a duplicate, a child process), epoll keeps reporting it. The registration could be removed only through
// the closed descriptor, so it must stay alive. A periodic sweep destroys the registrations that epoll no longer lists.
//
// Ownership: owns the registrations.
// Thread safety: the scheduler's thread.
#pragma once

#include <sys/types.h>

#include <vector>

#include "reactor/descriptor_registration.hpp"

namespace trueasync::detail::interpose {

class StaleRegistrations {
 public:
  // `epoll_fd` is the epoll descriptor that holds the registration.
  void add(int fd, ino_t node, Ref<DescriptorRegistration> registration, int epoll_fd) noexcept;
  void clear() noexcept { entries_.clear(); }
  std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    int fd;
    ino_t node;
    Ref<DescriptorRegistration> registration;
  };

  void sweep(int epoll_fd);

  std::vector<Entry> entries_;
  std::size_t sweep_threshold_ = 128;
};

}  // namespace trueasync::detail::interpose
