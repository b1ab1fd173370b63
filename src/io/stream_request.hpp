// Requests on a StreamHandle: the operation as an event. It takes its turn when it is started, tries, and goes on in the
// loop's notifications; stopped before its end it leaves the line and has taken nothing that it does not tell.
#pragma once

#include "io/stream_handle.hpp"
#include "trueasync/io_request.hpp"

namespace trueasync::detail {

Ref<IoRequest> new_read_request(StreamHandle& handle, Bytes buffer);
Ref<IoRequest> new_write_request(StreamHandle& handle, ConstBytes data);

}  // namespace trueasync::detail
