// The descriptors that coroutines of one scheduler use in C code, by number.
//
// Closing is seen where the call is replaced, on any thread: it counts in close_count(number), and what is known from
// before counts no more. Where it is not seen – objects whose calls are not replaced, the C library's own – the node that
// fstat tells is compared when a wait has lasted kDoubtAfter: never a hang, at most that delay.
// Owns: its descriptors, until they are closed or the reactor goes. Threads: the scheduler's, but for closings.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "interpose/descriptor.hpp"
#include "interpose/stale_registrations.hpp"

namespace trueasync::detail::interpose {

inline constexpr std::chrono::milliseconds kRevalidateAfter{10};

// How often a number was closed or overwritten, by whomever we see; numbers that are far apart may share a count.
std::atomic<std::uint32_t>& close_count(int fd) noexcept;

class DescriptorTable final : public ReactorObserver, public std::enable_shared_from_this<DescriptorTable> {
 public:
  explicit DescriptorTable(Reactor& reactor) noexcept;

  // This thread's for the reactor. Throws std::bad_alloc.
  static DescriptorTable& of(Reactor& reactor);
  // This thread's, if it has one.
  static DescriptorTable* existing() noexcept;

  // What is known; null: nothing.
  TrackedDescriptor* find(int fd) noexcept {
    const auto index = static_cast<std::size_t>(fd);
    if (index >= places_.size() || !places_[index].descriptor) return nullptr;
    return places_[index].closings == close_count(fd).load(std::memory_order_relaxed) ? places_[index].descriptor.get()
                                                                                      : find_revalidated(fd);
  }
  // The same, or looks at it now. A file, or none that is open: null, and `kind` says which. What does not last is made
  // for this time only. Throws std::bad_alloc.
  Ref<TrackedDescriptor> get(int fd, DescriptorKind& kind);
  // Whether the number still means this one; if not, it is forgotten.
  bool revalidate(TrackedDescriptor& descriptor) noexcept;
  // Forgets it without a word to the kernel.
  void abandon(int fd) noexcept;
  // Before it is closed.
  void close(int fd) noexcept;
  void close_range(unsigned first, unsigned last) noexcept;

  // How many were closed behind our back and are kept, since the kernel may still know them.
  std::size_t orphans() const noexcept { return orphans_.size(); }
  // The runtime goes on in the child of a fork.
  void adopt_in_forked_child() noexcept;
  void on_reactor_closed() noexcept override;

 private:
  struct Slot {
    Ref<TrackedDescriptor> descriptor;
    std::uint32_t closings = 0;
  };

  TrackedDescriptor* find_revalidated(int fd) noexcept;

  Reactor* reactor_;
  int process_;
  std::vector<Slot> places_;
  StaleRegistrations orphans_;
  std::shared_ptr<DescriptorTable> self_;  // while the reactor lives
};

}  // namespace trueasync::detail::interpose
