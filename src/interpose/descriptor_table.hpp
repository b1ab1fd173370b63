// DescriptorTable: the descriptors that C code uses in the coroutines of one scheduler, by number.
//
// A replaced close call, on any thread, increments close_count(fd). An entry with an older count is revalidated before
// use. A close by a call that is not replaced, for example inside the C library, goes unnoticed. Therefore a wait
// longer than kRevalidateAfter compares the identity reported by fstat(). A stale entry delays a wait by that time at
// most.
//
// Ownership: owns its descriptors until they are closed or the reactor closes.
// Thread safety: the scheduler's thread, except close_count().
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "interpose/descriptor.hpp"
#include "interpose/stale_registrations.hpp"

namespace trueasync::detail::interpose {

inline constexpr std::chrono::milliseconds kRevalidateAfter{10};

// The number of times a descriptor number was closed or replaced by a replaced call. Distant numbers may share a
// counter.
std::atomic<std::uint32_t>& close_count(int fd) noexcept;

class DescriptorTable final : public ReactorObserver, public std::enable_shared_from_this<DescriptorTable> {
 public:
  explicit DescriptorTable(Reactor& reactor) noexcept;

  // Returns this thread's table for the reactor and creates it if needed. Errors: throws std::bad_alloc.
  static DescriptorTable& of(Reactor& reactor);
  // Returns this thread's table, or null.
  static DescriptorTable* existing() noexcept;

  // Returns the entry for `fd`, or null.
  TrackedDescriptor* find(int fd) noexcept {
    const auto index = static_cast<std::size_t>(fd);
    if (index >= slots_.size() || !slots_[index].descriptor) return nullptr;
    return slots_[index].seen_close_count == close_count(fd).load(std::memory_order_relaxed)
               ? slots_[index].descriptor.get()
               : find_revalidated(fd);
  }
  // Returns the entry for `fd` and creates it if needed. Returns null for a file or a closed number; `kind` is set in
  // any case. A descriptor without stable identity is not stored in the table. Errors: throws std::bad_alloc.
  Ref<TrackedDescriptor> get(int fd, DescriptorKind& kind);
  // Whether the number still refers to this file. If not, abandons the entry.
  bool revalidate(TrackedDescriptor& descriptor) noexcept;
  // Removes an entry whose descriptor was closed without notification.
  void abandon(int fd) noexcept;
  // Removes the entry and wakes its waiters. Must precede the actual close.
  void close(int fd) noexcept;
  void close_range(unsigned first, unsigned last) noexcept;

  // The number of registrations kept for descriptors that were closed without notification.
  std::size_t stale_count() const noexcept { return stale_registrations_.size(); }
  // The runtime continues in the child of a fork.
  void adopt_in_forked_child() noexcept;
  void on_reactor_closed() noexcept override;

 private:
  struct Slot {
    Ref<TrackedDescriptor> descriptor;
    std::uint32_t seen_close_count = 0;
  };

  TrackedDescriptor* find_revalidated(int fd) noexcept;

  Reactor* reactor_;
  int pid_;
  std::vector<Slot> slots_;
  StaleRegistrations stale_registrations_;
  std::shared_ptr<DescriptorTable> self_;  // until the reactor closes
};

}  // namespace trueasync::detail::interpose
