// UvLookupLimiter: bounds the concurrent lookups of one reactor; further lookups wait in FIFO order. An unreachable
// name server blocks a thread for many seconds, so lookups must not occupy all threads, or file I/O would stop. libuv
// limits lookups to half of its pool per process. This limit applies per reactor, so a cancelled lookup leaves the
// queue immediately.
#pragma once

#include <cstdint>

#include "trueasync/detail/intrusive_list.hpp"

namespace trueasync::detail {

class UvLookup;

struct UvLookupQueueEntry : ListHook {
  explicit UvLookupQueueEntry(UvLookup& owner) noexcept : lookup(owner) {}
  UvLookup& lookup;
};

struct UvLookupLimiter {
  static constexpr unsigned kMaxConcurrent = 2;  // half of libuv's default pool (UV_THREADPOOL_SIZE)

  IntrusiveList<UvLookupQueueEntry> waiting;
  unsigned running = 0;
  std::uint64_t begun = 0;  // total number of lookups that were submitted
};

}  // namespace trueasync::detail
