// PollSet: waiting until one of many descriptors may be ready. What it is ready for is asked of the kernel afterwards.
//
// Owns: references to what is waited for. Lifetime: one call's. Threads: the scheduler's.
#pragma once

#include <vector>

#include "interpose/call_context.hpp"
#include "interpose/descriptor_table.hpp"

namespace trueasync::detail::interpose {

class PollSet {
 public:
  PollSet(Scheduler& scheduler, const char* call) noexcept : scheduler_(scheduler), call_(call) {}

  // Descriptors that are never waited for – not open, files – are left out: the kernel says of them what there is to
  // say. Throws std::bad_alloc.
  void add(int fd, bool in, bool out);
  // Until one of them is announced; also when one turns out to be another than it was.
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
