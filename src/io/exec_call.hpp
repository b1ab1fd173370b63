// ExecCall: one call of exec() with the process and the coroutines that write its input and read its output.
//
// Lifetime: ExecRun is shared by the call and its coroutines. A forced shutdown may end the call before its coroutines.
// Thread safety: the runtime's thread.
#pragma once

#include <array>
#include <exception>
#include <memory>

#include "io/io_handle.hpp"
#include "trueasync/event.hpp"
#include "trueasync/io/process.hpp"
#include "trueasync/task.hpp"

namespace trueasync::detail {

struct ExecRun {
  explicit ExecRun(ExecOptions exec_options);

  ExecOptions options;
  Process process;
  ExecResult result;
  std::exception_ptr failure;          // the first error of a callback or a stream
  bool output_limit_exceeded = false;  // with ExecOverflow::kill: the call ends the process
};

class ExecCall {
 public:
  ExecCall(ExecOptions options, SourceLocation location);
  ExecResult run(IoWait wait);

 private:
  enum class Ended : unsigned char { exited, timed_out, token, cancelled, failed };

  // The exit, the output, the error output, the input and the token.
  using Entries = std::array<WaitEntry, 5>;

  Ended wait_for_end(IoWait wait, std::optional<Duration> output_timeout);
  std::size_t collect_pending(Entries& entries);
  void signal_group(int signal) noexcept;
  void terminate();
  void finish_tasks();

  std::shared_ptr<ExecRun> run_;
  SourceLocation location_;
  Task<void> feeder_;
  std::array<Task<void>, 2> readers_;
  std::exception_ptr token_error_;  // with Ended::token
};

}  // namespace trueasync::detail
