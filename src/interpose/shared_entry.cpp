#include "interpose/shared_entry.hpp"

#include <array>
#include <vector>

namespace trueasync::detail::interpose {

namespace {

constexpr std::size_t kAnswersKept = 8;

IntrusiveList<SharedHostentUse>& uses() noexcept {
  thread_local IntrusiveList<SharedHostentUse> of_thread;
  return of_thread;
}

}  // namespace

SharedHostentUse::SharedHostentUse(const hostent* entry) noexcept : entry_(entry) {
  IntrusiveList<SharedHostentUse>& all = uses();
  for (SharedHostentUse* one = all.front(); one; one = all.next_of(*one)) one->is_overtaken_ |= one->entry_ == entry;
  all.push_back(*this);
}

char* thread_answer_buffer(std::size_t size) noexcept {
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
