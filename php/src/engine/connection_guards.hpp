// Connections and handles of other extensions that one coroutine may use at a time.
#pragma once

namespace trueasync::php::engine {

// Throws std::bad_alloc.
void guard_connections();

}  // namespace trueasync::php::engine
