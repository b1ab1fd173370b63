#include "interpose/ready_set.hpp"

#include <algorithm>

#include "interpose/call_event.hpp"

namespace trueasync::detail::interpose {

void ReadySet::add(int fd, bool in, bool out) {
  if (fd < 0) return;
  DescriptorKind kind = DescriptorKind::bad;
  Ref<Descriptor> descriptor = DescriptorTable::of(scheduler_.reactor()).get(fd, kind);
  if (descriptor && descriptor->watch_in(scheduler_.reactor())) members_.push_back({std::move(descriptor), in, out});
}

// Whether all are still what they were.
bool ReadySet::look_again() noexcept {
  DescriptorTable* table = DescriptorTable::existing();
  bool is_same = true;
  for (Member& member : members_) {
    if (!is_lasting(member.descriptor->kind()) || (table && table->is_still(*member.descriptor))) continue;
    is_same = false;
    const int fd = member.descriptor->number();
    DescriptorKind kind = DescriptorKind::bad;
    try {
      Ref<Descriptor> now = DescriptorTable::of(scheduler_.reactor()).get(fd, kind);
      if (now && now->watch_in(scheduler_.reactor())) member.descriptor = std::move(now);
    } catch (...) {
    }
  }
  return is_same;
}

Waited ReadySet::wait(TimePoint deadline) noexcept {
  if (is_refused(scheduler_)) return Waited::ended;
  const KeepErrno kept;
  CallEvent name(call_);
  std::erase_if(members_, [](const Member& member) { return member.descriptor->is_closed(); });
  std::vector<WaitEntry> entries;
  try {
    entries.reserve(1 + 2 * members_.size());
    entries.emplace_back(name);
    for (const Member& member : members_) {
      if (member.in) entries.emplace_back(member.descriptor->watch().readable());
      if (member.out) entries.emplace_back(member.descriptor->watch().writable());
    }
  } catch (...) {
    return Waited::impossible;
  }
  TimePoint doubt = is_doubted_ ? TimePoint::max() : scheduler_.reactor().now() + kDoubtAfter;
  WaitRequest request;
  request.entries = entries;
  if (std::min(deadline, doubt) != TimePoint::max()) request.deadline = std::min(deadline, doubt);
  has_waited();
  const WakeReason reason = scheduler_.wait(request, place_of(call_));
  if (reason == WakeReason::event) {
    kept.restore();
    return Waited::ready;
  }
  if (reason != WakeReason::timed_out) return end_call(scheduler_, call_, reason, std::move(request.error));
  kept.restore();
  if (deadline <= doubt) return Waited::timed_out;
  is_doubted_ = look_again();
  return Waited::ready;
}

}  // namespace trueasync::detail::interpose
