// Everything a program needs. testing.hpp is apart.
#pragma once

#include "trueasync/cancel.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/future.hpp"
#include "trueasync/inspect.hpp"
#include "trueasync/microtask.hpp"
#include "trueasync/place.hpp"
#include "trueasync/poll.hpp"
#include "trueasync/runtime.hpp"
#include "trueasync/statistics.hpp"
#include "trueasync/switch_handler.hpp"
#include "trueasync/task.hpp"
#include "trueasync/time.hpp"
#include "trueasync/trigger.hpp"
#include "trueasync/wait.hpp"
