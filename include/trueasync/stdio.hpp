// Standard input, output and error as Io handles, whatever they are: files, pipes, sockets or terminals.
//
// Owns: a descriptor of its own for the same thing; closing the handle leaves 0, 1 and 2 open. Terminals and pipes are
// opened anew, so that our being non-blocking is not passed on to the shell and to others that share them; where that
// is not possible (sockets, no /proc) the shared one is non-blocking until the process exits.
// Threads: the runtime's. Errors: IoError with EBADF when the program was started with it closed. Writing to a pipe that
// nobody reads is an IoError with EPIPE, not the end of the program. What was written through stdio or iostreams has
// buffers of its own: flush them first. Every call makes a new handle: make one and pass it on, for turns are taken
// per handle.
#pragma once

#include "trueasync/io.hpp"

namespace trueasync {

TRUEASYNC_EXPORT Io standard_input();
TRUEASYNC_EXPORT Io standard_output();
TRUEASYNC_EXPORT Io standard_error();

}  // namespace trueasync
