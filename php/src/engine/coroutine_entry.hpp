// kCoroutineEntry: the entry of a coroutine whose body is a PHP callable.
#pragma once

#include "trueasync/detail/coroutine_entry.hpp"

namespace trueasync::php::engine {

// The storage holds a CoroutineObject*.
extern const detail::EntryOps kCoroutineEntry;

}  // namespace trueasync::php::engine
