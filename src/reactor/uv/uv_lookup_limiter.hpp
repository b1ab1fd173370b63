// How many lookups of one reactor may occupy threads at once; the others wait in a queue of ours, first come first
// served (DN-03). A dead name server blocks a thread for many seconds: lookups must never have all of them, or file I/O
// would stand still. libuv holds them to half of its pool for the whole process; this holds each reactor to its share, so
// that its own queue decides who is next and a cancelled one leaves it at once.
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
  static constexpr unsigned kMaxConcurrent = 2;  // half of libuv's pool, unless UV_THREADPOOL_SIZE says otherwise

  IntrusiveList<UvLookupQueueEntry> waiting;
  unsigned running = 0;
  std::uint64_t begun = 0;  // how many ever went to a thread
};

}  // namespace trueasync::detail
