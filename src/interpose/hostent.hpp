// Memory of hostent results: an owned copy, and the handling of callers that share one result buffer.
//
// Thread safety: OwnedHostent may move between threads; the rest belongs to the calling thread.
#pragma once

#include <netdb.h>

#include <cstddef>
#include <string>
#include <vector>

#include "trueasync/detail/intrusive_list.hpp"

namespace trueasync::detail::interpose {

// OwnedHostent: a hostent with its own memory.
class OwnedHostent {
 public:
  OwnedHostent() = default;
  // Errors: throws std::bad_alloc.
  explicit OwnedHostent(const hostent& entry);

  // Returns false if the buffer is null or smaller than size().
  bool copy_to(hostent& entry, char* buffer, std::size_t buffer_size) const noexcept;
  // The buffer size that copy_to() needs.
  std::size_t size() const noexcept;

 private:
  std::string name_;
  std::vector<std::string> aliases_;
  std::vector<std::string> addresses_;
  int type_ = 0;
  int length_ = 0;
};

// SharedHostentUse: one call that will write to `entry`. Some callers, PHP for example, use one hostent and one buffer
// for all their coroutines. While a call is suspended, a later call with the same hostent may free that buffer. The
// earlier call is then superseded: it must not touch the buffer and uses thread_answer_buffer() instead.
//
// Lifetime: on the stack of the calling coroutine.
class SharedHostentUse : public ListHook {
 public:
  explicit SharedHostentUse(const hostent* entry) noexcept;
  ~SharedHostentUse() { unlink(); }
  SharedHostentUse(const SharedHostentUse&) = delete;
  SharedHostentUse& operator=(const SharedHostentUse&) = delete;
  bool is_superseded() const noexcept { return is_superseded_; }

 private:
  const hostent* entry_;
  bool is_superseded_ = false;
};

// Returns memory of this thread for an answer, or null if memory is exhausted. The next few calls leave it valid.
char* thread_answer_buffer(std::size_t size) noexcept;

}  // namespace trueasync::detail::interpose
