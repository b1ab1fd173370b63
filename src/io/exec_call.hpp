// ExecCall: one call of exec() with the process and the coroutines that write its input and read its output.
//
// Lifetime: ExecRun is shared by the call and its coroutines. A forced shutdown may end the call before its coroutines.
// Thread safety: the runtime's thread.
#pragma once

#include <array>
#include <exception>
#include <memory>

#include "trueasync/exec.hpp"
#include "trueasync/task.hpp"
#include "trueasync/wait.hpp"

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
  ExecResult run();

 private:
  enum class Ended : unsigned char { exited, timed_out, cancelled, failed };

  Ended wait_for_end(std::optional<TimePoint> deadline, Limit linger);
  std::size_t collect_pending(std::array<WaitEntry, 4>& entries);
  void signal_group(int signal) noexcept;
  void terminate();
  void finish_tasks();

  std::shared_ptr<ExecRun> run_;
  SourceLocation location_;
  Task<void> feeder_;
  std::array<Task<void>, 2> readers_;
};

}  // namespace trueasync::detail
