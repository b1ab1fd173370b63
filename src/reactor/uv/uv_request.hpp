// A request that libuv has and that can't always be stopped: work on a thread, a lookup. It stands in its reactor's list
// from the call that begins it to its completion, and lives as long (R2).
//
// At the end of the reactor, in two steps (DN-02): what no thread has begun with is cancelled if it may be, and the rest has a bounded
// time to end. What is wedged even then keeps its memory and the loop's, for ever: a leak is better than a thread that
// writes into freed memory.
#pragma once

#include <string>

#include "trueasync/detail/intrusive_list.hpp"

namespace trueasync::detail {

class UvRequest : public ListHook {
 public:
  // Cancels it if it may be and no thread has begun with it; its completion comes in any case.
  virtual void cancel() noexcept = 0;
  // The reactor goes, or this is the child of a fork: it is out of the list, and a completion that comes nevertheless
  // does nothing. Its memory stays. Returns what it was.
  virtual std::string abandon() noexcept = 0;

 protected:
  ~UvRequest() = default;
};

}  // namespace trueasync::detail
