// Reads and writes of files as requests (AIO-02). A coroutine of the request's own does the work, with the request's own
// memory: whoever made it may let it go at any time (CA-10).
#pragma once

#include "io/file_handle.hpp"
#include "trueasync/io_request.hpp"

namespace trueasync::detail {

Ref<IoRequest> new_file_read(FileHandle& handle, Bytes buffer, SourceLocation location);
// Takes kFileWorkBytes at most; the result tells how many there were.
Ref<IoRequest> new_file_write(FileHandle& handle, ConstBytes data, SourceLocation location);

}  // namespace trueasync::detail
