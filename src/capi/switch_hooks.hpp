// What runs between coroutines in C: microtasks and switch handlers. Members of the core table.
#pragma once

#include "trueasync.h"
#include "trueasync/switch_handler.hpp"

namespace trueasync::detail {

ta_status queue_c_microtask(ta_function call, void* argument, ta_dispose dispose, ta_microtask** microtask,
                            ta_error* error) noexcept;
void cancel_c_microtask(ta_microtask* microtask) noexcept;
void release_c_microtask(ta_microtask* microtask) noexcept;

ta_status add_c_switch_handler(ta_coroutine* coroutine, ta_switch_handler handler, void* argument, uint64_t* id,
                               ta_error* error) noexcept;
ta_status remove_c_switch_handler(ta_coroutine* coroutine, uint64_t id, ta_error* error) noexcept;

// Throws MisuseError without a handler.
SwitchHandler native_switch_handler(ta_switch_handler handler, void* argument);

}  // namespace trueasync::detail
