// Stack overflow is reported, not suffered (CTX-03): a handler on an alternate signal stack looks whether the fault
// lies in the guard of the coroutine that runs on this thread, writes which one it is, and lets the default action
// end the process. Any other fault goes to the handler that was there before.
//
// Owns: the alternate signal stacks it made. Threads: attach/detach per thread that runs coroutines, may nest; the
// handler is installed once per process and gone after the last detach. Errors: none; a thread that can get no signal
// stack dies of an overflow without the report.
//
// A frame larger than the guard could step over it: build with -fstack-clash-protection, as this library is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trueasync::detail {

// What the handler may read about the running coroutine. Plain data: it is read inside a signal handler.
struct OverflowContext {
  const void* guard_begin;
  const void* guard_end;
  std::size_t stack_size;
  std::uint64_t id;
  const char* name;  // may be null
  const char* file;  // spawn place, may be null
  unsigned line;
};

// Fills `subject` for the coroutine running on this thread; false when none does. Async-signal-safe.
using OverflowQuery = bool (*)(OverflowContext& subject);

// What a host knows better: where its own code was, and what to do about it. Read inside a signal handler.
struct OverflowReporter {
  // False: its code does not run. Async-signal-safe.
  bool (*running_at)(const char*& file, unsigned& line);
  const char* advice;
};
// For the process, from now on. `host` lives as long as it.
void set_overflow_reporter(const OverflowReporter& host) noexcept;

// Gives this thread an alternate signal stack unless it has one, installs the handler unless it is installed.
void overflow_attach_thread(OverflowQuery query);
void overflow_detach_thread() noexcept;

}  // namespace trueasync::detail
