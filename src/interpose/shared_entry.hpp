// Callers whose hostent is one for all of their coroutines, like PHP's: while one waits for its answer the next one comes
// with the same, and may have freed the first one's buffer by then. Whoever was overtaken so touches that buffer no more:
// its answer lies in memory of the thread.
//
// Threads: each has its own.
#pragma once

#include <netdb.h>

#include <cstddef>

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

// Memory of this thread for an answer, good until some more were asked for. Null: there is none.
char* memory_for_answer(std::size_t size) noexcept;

}  // namespace trueasync::detail::interpose
