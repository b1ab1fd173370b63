// Callers whose hostent is one for all of their coroutines, like PHP's: while one waits for its answer the next one comes
// with the same, and may have freed the first one's buffer by then. Whoever was overtaken so touches nothing: it is told
// ERANGE, brings a buffer that is good, and finds its answer kept.
//
// Threads: each has its own. Errors: no memory to keep an answer makes the caller ask again.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "interpose/host_entry.hpp"
#include "trueasync/detail/intrusive_list.hpp"

namespace trueasync::detail::interpose {

// One call that uses `entry`, on the stack of its coroutine.
class EntryUse : public ListHook {
 public:
  explicit EntryUse(const hostent* entry) noexcept;
  ~EntryUse() { unlink(); }
  EntryUse(const EntryUse&) = delete;
  EntryUse& operator=(const EntryUse&) = delete;
  bool is_overtaken() const noexcept { return is_overtaken_; }

 private:
  const hostent* entry_;
  bool is_overtaken_ = false;
};

// Answers for those that will ask again.
class KeptAnswers {
 public:
  static KeptAnswers& of_thread() noexcept;
  void keep(const void* coroutine, std::string_view subject, HostEntry answer) noexcept;
  std::optional<HostEntry> take(const void* coroutine, std::string_view subject) noexcept;

 private:
  struct Answer {
    const void* coroutine;
    std::string subject;
    HostEntry entry;
  };
  std::deque<Answer> answers_;
};

}  // namespace trueasync::detail::interpose
