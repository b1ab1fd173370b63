// Coroutines that write to the same stream take turns, first come first served: what one writes comes out in one piece, as
// in plain PHP.
//
// Threads: the engine's. Errors: EG(exception).
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::engine {

// Those who waited for it have gone without it.
bool is_turn_free(const zend_resource& stream) noexcept;
// Until those who came earlier are through. False: EG(exception) is set, and the turn is another one's.
bool wait_for_turn(const zend_resource& stream) noexcept;
// The one whose turn it was is through. True: it is somebody else's now.
bool pass_turn(const zend_resource& stream) noexcept;
// Nobody waits any more.
void forget_turns() noexcept;

}  // namespace trueasync::php::engine
