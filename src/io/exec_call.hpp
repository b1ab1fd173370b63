// One call of exec(): the process, the coroutines that feed it and read from it, and what they found.
//
// Lifetime: shared by the call and its coroutines, so that a call that has to end at once – a forced shutdown – leaves
// them nothing that has gone (R2). Threads: the runtime's.
#pragma once

#include <array>
#include <exception>
#include <memory>

#include "trueasync/exec.hpp"
#include "trueasync/task.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::detail {

struct ExecRun {
  explicit ExecRun(ExecOptions given);

  ExecOptions options;
  Process process;
  ExecResult result;
  std::exception_ptr failure;          // of a callback or a stream; the first one
  bool output_limit_exceeded = false;  // more output than allowed, and that is to end it
};

class ExecCall {
 public:
  ExecCall(ExecOptions options, SourceLocation location);
  ExecResult run();

 private:
  enum class Ended : unsigned char { exited, timed_out, cancelled, failed };

  Ended wait_for_end(std::optional<TimePoint> deadline, Limit linger);
  std::size_t list_unfinished(std::array<WaitEntry, 4>& entries);
  void signal_group(int signal) noexcept;
  void terminate();
  void settle();

  std::shared_ptr<ExecRun> run_;
  SourceLocation location_;
  Task<void> feeder_;
  std::array<Task<void>, 2> readers_;
};

}  // namespace trueasync::detail
