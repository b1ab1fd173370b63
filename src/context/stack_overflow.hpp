// Reports stack overflows. A signal handler on an alternate signal stack checks whether the fault address is in the
// guard page of the thread's current coroutine. If so, it writes a report and lets the default action terminate the
// process. Any other fault goes to the previously installed handler.
//
// A frame larger than the guard could skip it: build with -fstack-clash-protection, as this library is built.
//
// Ownership: owns the alternate signal stacks it creates.
// Thread safety: each thread that runs coroutines attaches and detaches itself; calls may nest. The handler is
// installed at the first attach of the process and removed at the last detach.
// Errors: none. A thread without an alternate signal stack terminates on overflow without a report.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trueasync::detail {

// OverflowContext: data about the current coroutine for the report. Plain data, because a signal handler reads it.
struct OverflowContext {
  const void* guard_begin;
  const void* guard_end;
  std::size_t stack_size;
  std::uint64_t id;
  const char* name;  // may be null
  const char* file;  // spawn location, may be null
  unsigned line;
};

// Fills `context` for the thread's current coroutine; returns false if there is none. Async-signal-safe.
using OverflowQuery = bool (*)(OverflowContext& context);

// OverflowReporter: a host's part of the report. A signal handler reads it.
struct OverflowReporter {
  // The location of the host's running code; returns false if none runs. Async-signal-safe.
  bool (*running_at)(const char*& file, unsigned& line);
  const char* advice;  // replaces the default hint
};
// Sets the reporter of the process. `reporter` must live until the process ends.
void set_overflow_reporter(const OverflowReporter& reporter) noexcept;

// Installs an alternate signal stack for this thread and the handler for the process, unless they exist.
void overflow_attach_thread(OverflowQuery query);
void overflow_detach_thread() noexcept;

}  // namespace trueasync::detail
