#include "interpose/shared_entry.hpp"

#include <array>
#include <vector>

namespace trueasync::detail::interpose {

namespace {

constexpr std::size_t kAnswersKept = 8;

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

char* memory_for_answer(std::size_t size) noexcept {
  thread_local std::array<std::vector<char>, kAnswersKept> kept;
  thread_local std::size_t next = 0;
  std::vector<char>& memory = kept[next++ % kAnswersKept];
  try {
    memory.resize(size);
  } catch (...) {
    return nullptr;
  }
  return memory.data();
}

}  // namespace trueasync::detail::interpose
