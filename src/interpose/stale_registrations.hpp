// Orphans: registrations of descriptors that were closed behind our back. While the file is open elsewhere – a copy, a child
// process – the kernel goes on speaking of them, and only the descriptor that is gone could make it stop. So they are
// kept; now and then those go of which the kernel says itself that it knows them no more.
//
// Owns: the watches. Threads: the scheduler's.
#pragma once

#include <sys/types.h>

#include <vector>

#include "reactor/descriptor_registration.hpp"

namespace trueasync::detail::interpose {

class StaleRegistrations {
 public:
  // `epoll` is where it was registered.
  void add(int fd, ino_t node, Ref<DescriptorRegistration> watch, int epoll) noexcept;
  void clear() noexcept { orphans_.clear(); }
  std::size_t size() const noexcept { return orphans_.size(); }

 private:
  struct Orphan {
    int fd;
    ino_t node;
    Ref<DescriptorRegistration> watch;
  };

  void sweep(int epoll);

  std::vector<Orphan> orphans_;
  std::size_t sweep_at_ = 128;
};

}  // namespace trueasync::detail::interpose
