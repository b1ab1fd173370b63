// The hooks by which the engine's state follows the coroutines.
#pragma once

#include "scheduler/scheduler.hpp"

namespace trueasync::php::engine {

extern const detail::HostHooks kSwitchHooks;

}  // namespace trueasync::php::engine
