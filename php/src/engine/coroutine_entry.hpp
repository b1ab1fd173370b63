// A PHP callable as the body of a coroutine.
#pragma once

#include "trueasync/detail/coroutine_entry.hpp"

namespace trueasync::php::engine {

// The storage holds a CoroutineObject*.
extern const detail::EntryOps kCoroutineEntry;

}  // namespace trueasync::php::engine
