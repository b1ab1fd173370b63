#include "interpose/poll_set.hpp"

#include <algorithm>

#include "interpose/call_event.hpp"

namespace trueasync::detail::interpose {

void PollSet::add(int fd, bool in, bool out) {
  if (fd < 0) return;
  DescriptorKind kind = DescriptorKind::bad;
  Ref<TrackedDescriptor> descriptor = DescriptorTable::of(scheduler_.reactor()).get(fd, kind);
  if (descriptor && descriptor->ensure_registered(scheduler_.reactor()))
    members_.push_back({std::move(descriptor), in, out});
}

// Whether every number still refers to the same file. Replaces the members for which it does not.
bool PollSet::revalidate() noexcept {
  DescriptorTable* table = DescriptorTable::existing();
  bool are_all_valid = true;
  for (Member& member : members_) {
    if (!has_stable_identity(member.descriptor->kind()) || (table && table->revalidate(*member.descriptor))) continue;
    are_all_valid = false;
    const int fd = member.descriptor->number();
    DescriptorKind kind = DescriptorKind::bad;
    try {
      Ref<TrackedDescriptor> current = DescriptorTable::of(scheduler_.reactor()).get(fd, kind);
      if (current && current->ensure_registered(scheduler_.reactor())) member.descriptor = std::move(current);
    } catch (...) {
    }
  }
  return are_all_valid;
}

WaitResult PollSet::wait(TimePoint deadline) noexcept {
  if (fail_if_interrupting(scheduler_)) return WaitResult::interrupted;
  const ErrnoGuard errno_guard;
  CallEvent event(call_);
  std::erase_if(members_, [](const Member& member) { return member.descriptor->is_closed(); });
  std::vector<WaitEntry> entries;
  try {
    entries.reserve(1 + 2 * members_.size());
    entries.emplace_back(event);
    for (const Member& member : members_) {
      if (member.in) entries.emplace_back(member.descriptor->registration().readable());
      if (member.out) entries.emplace_back(member.descriptor->registration().writable());
    }
  } catch (...) {
    return WaitResult::unsupported;
  }
  TimePoint revalidate_at = is_revalidated_ ? TimePoint::max() : scheduler_.reactor().now() + kRevalidateAfter;
  WaitRequest request;
  request.entries = entries;
  if (std::min(deadline, revalidate_at) != TimePoint::max()) request.deadline = std::min(deadline, revalidate_at);
  reset_call_budget();
  const WakeReason reason = scheduler_.wait(request, call_location(call_));
  if (reason == WakeReason::event) {
    errno_guard.restore();
    return WaitResult::ready;
  }
  if (reason != WakeReason::timed_out) return interrupt_call(scheduler_, call_, reason, std::move(request.error));
  errno_guard.restore();
  if (deadline <= revalidate_at) return WaitResult::timed_out;
  is_revalidated_ = revalidate();
  return WaitResult::ready;
}

}  // namespace trueasync::detail::interpose
