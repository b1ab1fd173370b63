// The epoll descriptor everything waits on: descriptors that coroutines read and write stand in it themselves,
// edge-triggered and registered once, and libuv's own descriptor stands in it for all the rest. So a busy connection
// costs neither a pass through libuv nor an epoll_ctl, and a batch still costs one wait (docs/decisions/0012).
//
// Owns: the descriptor; registrations leave before they die. Threads: the reactor's. Errors: errno as a value.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>

#include "trueasync/detail/intrusive_list.hpp"

namespace trueasync::detail {

class EdgeRegistration : public ListHook {
 public:
  int descriptor() const noexcept { return fd_; }
  bool is_registered() const noexcept { return is_linked(); }
  // What the kernel says, in epoll's bits.
  virtual void tell(std::uint32_t events) noexcept = 0;

 protected:
  explicit EdgeRegistration(int fd) noexcept : fd_(fd) {}
  ~EdgeRegistration() = default;

 private:
  friend class EdgePoller;
  int fd_;
  bool shared_ = false;           // there was another one on this descriptor
  std::uint64_t told_round_ = 0;  // of those that share a descriptor: when it was last told
};

class EdgePoller {
 public:
  EdgePoller() = default;
  ~EdgePoller();
  EdgePoller(const EdgePoller&) = delete;
  EdgePoller& operator=(const EdgePoller&) = delete;

  // A descriptor of its own, with `guest` and all that are registered in it; also in the child of a fork, which shares
  // the old one with its parent.
  int open(int guest) noexcept;
  int descriptor() const noexcept { return fd_; }
  std::size_t size() const noexcept { return size_; }

  // Two on one descriptor are both told.
  int add(EdgeRegistration& registration) noexcept;
  void remove(EdgeRegistration& registration) noexcept;
  // The same without a word to the kernel.
  void forget(EdgeRegistration& registration) noexcept;

  // Waits so many milliseconds at most (-1: without end) and tells. True: the guest has something to do.
  bool collect(int milliseconds) noexcept;

 private:
  int listen(int operation, EdgeRegistration& registration) noexcept;
  void replace_in_batch(EdgeRegistration& registration, EdgeRegistration* other) noexcept;
  EdgeRegistration* other_on_same(const EdgeRegistration& registration) noexcept;
  EdgeRegistration* next_untold(int fd) noexcept;

  int fd_ = -1;
  std::size_t size_ = 0;
  std::uint64_t round_ = 0;
  IntrusiveList<EdgeRegistration> registrations_;
  // The batch being told: what leaves meanwhile is taken out of it.
  std::array<epoll_event, 512> batch_;
  int batch_next_ = 0;
  int batch_end_ = 0;
};

}  // namespace trueasync::detail
