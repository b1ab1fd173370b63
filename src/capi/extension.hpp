// Loading an extension: a shared object that knows nothing but trueasync.h. A member of the runtime's table.
#pragma once

#include "trueasync.h"

namespace trueasync::detail {

ta_status load_extension(const char* path, void* argument, ta_error* error) noexcept;

}  // namespace trueasync::detail
