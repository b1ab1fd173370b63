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

class EpollEntry : public ListHook {
 public:
  int descriptor() const noexcept { return fd_; }
  bool is_registered() const noexcept { return is_linked(); }
  // What the kernel says, in epoll's bits.
  virtual void on_ready(std::uint32_t events) noexcept = 0;

 protected:
  explicit EpollEntry(int fd) noexcept : fd_(fd) {}
  ~EpollEntry() = default;

 private:
  friend class EpollPoller;
  int fd_;
  bool shared_ = false;               // there was another one on this descriptor
  std::uint64_t dispatch_round_ = 0;  // of those that share a descriptor: when it was last told
};

class EpollPoller {
 public:
  EpollPoller() = default;
  ~EpollPoller();
  EpollPoller(const EpollPoller&) = delete;
  EpollPoller& operator=(const EpollPoller&) = delete;

  // A descriptor of its own, with `guest` and all that are registered in it; also in the child of a fork, which shares
  // the old one with its parent.
  int open(int guest) noexcept;
  int descriptor() const noexcept { return fd_; }
  std::size_t size() const noexcept { return size_; }

  // Two on one descriptor are both told.
  int add(EpollEntry& registration) noexcept;
  void remove(EpollEntry& registration) noexcept;
  // The same without a word to the kernel.
  void abandon(EpollEntry& registration) noexcept;

  // Waits so many milliseconds at most (-1: without end) and tells. True: the guest has something to do.
  bool poll(int milliseconds) noexcept;

 private:
  int listen(int operation, EpollEntry& registration) noexcept;
  void replace_in_batch(EpollEntry& registration, EpollEntry* other) noexcept;
  EpollEntry* find_same_descriptor(const EpollEntry& registration) noexcept;
  EpollEntry* next_undispatched(int fd) noexcept;

  int fd_ = -1;
  std::size_t size_ = 0;
  std::uint64_t round_ = 0;
  IntrusiveList<EpollEntry> registrations_;
  // The batch being told: what leaves meanwhile is taken out of it.
  std::array<epoll_event, 512> batch_;
  int batch_next_ = 0;
  int batch_end_ = 0;
};

}  // namespace trueasync::detail
