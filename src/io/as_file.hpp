// The file behind an Io handle.
#pragma once

#include "io/file_handle.hpp"
#include "trueasync/io.hpp"

namespace trueasync::detail {

// Throws MisuseError for what is no file; `what` names the call.
Ref<FileHandle> require_file(const Io& io, const char* what);

}  // namespace trueasync::detail
