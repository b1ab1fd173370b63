// Microtasks and switch handlers of the C API: members of the core table.
#pragma once

#include "trueasync.h"
#include "trueasync/host.hpp"

namespace trueasync::detail {

ta_status queue_c_microtask(ta_function function, void* argument, ta_dispose dispose, ta_microtask** microtask,
                            ta_error* error) noexcept;
void cancel_c_microtask(ta_microtask* microtask) noexcept;
void release_c_microtask(ta_microtask* microtask) noexcept;

ta_status add_c_switch_handler(ta_coroutine* coroutine, ta_switch_handler handler, void* argument, uint64_t* id,
                               ta_error* error) noexcept;
ta_status remove_c_switch_handler(ta_coroutine* coroutine, uint64_t id, ta_error* error) noexcept;

// Throws MisuseError if `handler` is null.
SwitchHandler to_switch_handler(ta_switch_handler handler, void* argument);

}  // namespace trueasync::detail
