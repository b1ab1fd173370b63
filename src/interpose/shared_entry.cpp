#include "interpose/shared_entry.hpp"

#include <algorithm>

namespace trueasync::detail::interpose {

namespace {

constexpr std::size_t kKeptMost = 64;  // of callers that never came back

IntrusiveList<EntryUse>& uses() noexcept {
  thread_local IntrusiveList<EntryUse> of_thread;
  return of_thread;
}

}  // namespace

EntryUse::EntryUse(const hostent* entry) noexcept : entry_(entry) {
  IntrusiveList<EntryUse>& all = uses();
  for (EntryUse* one = all.front(); one; one = all.next_of(*one)) one->is_overtaken_ |= one->entry_ == entry;
  all.push_back(*this);
}

KeptAnswers& KeptAnswers::of_thread() noexcept {
  thread_local KeptAnswers answers;
  return answers;
}

void KeptAnswers::keep(const void* coroutine, std::string_view subject, HostEntry answer) noexcept {
  try {
    if (answers_.size() == kKeptMost) answers_.pop_front();
    answers_.push_back({coroutine, std::string(subject), std::move(answer)});
  } catch (...) {
  }
}

std::optional<HostEntry> KeptAnswers::take(const void* coroutine, std::string_view subject) noexcept {
  const auto found = std::find_if(answers_.begin(), answers_.end(), [&](const Answer& one) {
    return one.coroutine == coroutine && one.subject == subject;
  });
  if (found == answers_.end()) return std::nullopt;
  std::optional<HostEntry> entry(std::move(found->entry));
  answers_.erase(found);
  return entry;
}

}  // namespace trueasync::detail::interpose
