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
class SharedHostentUse : public ListHook {
 public:
  explicit SharedHostentUse(const hostent* entry) noexcept;
  ~SharedHostentUse() { unlink(); }
  SharedHostentUse(const SharedHostentUse&) = delete;
  SharedHostentUse& operator=(const SharedHostentUse&) = delete;
  bool is_superseded() const noexcept { return is_overtaken_; }

 private:
  const hostent* entry_;
  bool is_overtaken_ = false;
};

// Memory of this thread for an answer, good until some more were asked for. Null: there is none.
char* thread_answer_buffer(std::size_t size) noexcept;

}  // namespace trueasync::detail::interpose
