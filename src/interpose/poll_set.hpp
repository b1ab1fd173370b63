// PollSet: waits until one of several descriptors may be ready. The caller must poll the kernel afterwards for the
// result.
//
// Ownership: holds references to its descriptors.
// Lifetime: one call.
// Thread safety: the scheduler's thread.
#pragma once

#include <vector>

#include "interpose/call_context.hpp"
#include "interpose/descriptor_table.hpp"

namespace trueasync::detail::interpose {

class PollSet {
 public:
  PollSet(Scheduler& scheduler, const char* call) noexcept : scheduler_(scheduler), call_(call) {}

  // Ignores files and closed numbers: they never block, and the kernel reports their state in the caller's poll.
  // Errors: throws std::bad_alloc.
  void add(int fd, bool in, bool out);
  // Returns `ready` if the reactor reports one of the descriptors, or after a revalidation.
  WaitResult wait(TimePoint deadline) noexcept;

 private:
  struct Member {
    Ref<TrackedDescriptor> descriptor;
    bool in;
    bool out;
  };

  bool revalidate() noexcept;

  Scheduler& scheduler_;
  const char* call_;
  std::vector<Member> members_;
  bool is_revalidated_ = false;
};

}  // namespace trueasync::detail::interpose
