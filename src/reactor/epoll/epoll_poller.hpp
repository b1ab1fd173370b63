// EpollPoller: the epoll descriptor on which the reactor blocks. Descriptors that coroutines read and write are
// registered in it once, edge-triggered. libuv's own descriptor is nested in it for everything else. So a busy
// connection needs neither a libuv iteration nor an epoll_ctl, and a batch of events costs one epoll_wait
// (docs/decisions/0012).
//
// Ownership: owns the descriptor, not the entries. An entry must be removed before it is destroyed.
// Thread safety: the reactor's thread.
// Errors: functions return errno values.
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
  // Called with the EPOLL* bits that the kernel reports.
  virtual void on_ready(std::uint32_t events) noexcept = 0;

 protected:
  explicit EpollEntry(int fd) noexcept : fd_(fd) {}
  ~EpollEntry() = default;

 private:
  friend class EpollPoller;
  int fd_;
  bool shared_ = false;               // another entry was added for this descriptor
  std::uint64_t dispatch_round_ = 0;  // the last round that notified this entry; used for shared descriptors
};

class EpollPoller {
 public:
  EpollPoller() = default;
  ~EpollPoller();
  EpollPoller(const EpollPoller&) = delete;
  EpollPoller& operator=(const EpollPoller&) = delete;

  // Creates the epoll descriptor and adds `nested_fd` and all entries. Called again in the child of a fork, which
  // shares the old descriptor with its parent.
  int open(int nested_fd) noexcept;
  int descriptor() const noexcept { return fd_; }
  std::size_t size() const noexcept { return size_; }

  // Several entries on one descriptor are all notified.
  int add(EpollEntry& entry) noexcept;
  void remove(EpollEntry& entry) noexcept;
  // Removes the entry without an epoll_ctl.
  void abandon(EpollEntry& entry) noexcept;

  // Blocks for at most `milliseconds` (-1: no limit) and notifies ready entries. Returns true if the nested descriptor
  // is ready.
  bool poll(int milliseconds) noexcept;

 private:
  int control(int operation, EpollEntry& entry) noexcept;
  void replace_in_batch(EpollEntry& entry, EpollEntry* other) noexcept;
  EpollEntry* find_same_descriptor(const EpollEntry& entry) noexcept;
  EpollEntry* next_undispatched(int fd) noexcept;

  int fd_ = -1;
  std::size_t size_ = 0;
  std::uint64_t round_ = 0;
  IntrusiveList<EpollEntry> entries_;
  // The batch that is being dispatched. An entry that is removed during the dispatch is cleared from it.
  std::array<epoll_event, 512> batch_;
  int batch_next_ = 0;
  int batch_end_ = 0;
};

}  // namespace trueasync::detail
