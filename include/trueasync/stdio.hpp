// stdio.hpp: standard input, output and error as Io handles: files, pipes, sockets or terminals.
//
// Every call creates a new handle. Create one handle per stream and share it, because operations are serialized per
// handle. Output of stdio and iostreams has separate buffers: flush them first. Writing to a closed pipe throws IoError
// with EPIPE and does not end the program.
//
// Ownership: its own descriptor; closing the handle leaves 0, 1 and 2 open. Terminals and pipes are reopened, so that
// O_NONBLOCK does not affect other processes that share them. Where that is not possible (sockets, no /proc), the
// shared descriptor is non-blocking until the process exits.
// Thread safety: one runtime.
// Errors: IoError with EBADF if the program was started with the descriptor closed.
#pragma once

#include "trueasync/io.hpp"

namespace trueasync {

TRUEASYNC_EXPORT Io standard_input();
TRUEASYNC_EXPORT Io standard_output();
TRUEASYNC_EXPORT Io standard_error();

}  // namespace trueasync
