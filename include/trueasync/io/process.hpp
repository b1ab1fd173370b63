// Process: a child process with its pipes and exit status.
//
//   ta::Process child = ta::Process::spawn({.argv = {"sort", "-n"}, .input = ta::Redirect::pipe(),
//                                           .output = ta::Redirect::pipe()});
//   child.input().write_all("2\n1\n");
//   child.input().close();
//   ta::ExitStatus status = child.wait();
//
// The program is searched in the PATH of this process. The child has only its three standard descriptors, an empty
// signal mask and, by default, its own process group. spawn() does not suspend: posix_spawn returns when the new
// program has started, or reports why it could not start.
// The event loop reaps the child. If other code reaps it, by waitpid(-1) or by ignoring SIGCHLD, the end is still
// detected, but the exit status is unknown.
//
// Ownership: the parent's ends of the pipes. Destroying the handle does not end the child; the event loop reaps it when
// it exits. A child that outlives the runtime appears in its leak report.
// Lifetime: may outlive the runtime; then only pid(), status() and kill() work.
// Thread safety: one runtime.
// Errors: IoError ("exec sort: No such file or directory").
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/io/io.hpp"
#include "trueasync/io/stream.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

namespace detail {
class ProcessEvent;
struct ExecRun;
}  // namespace detail

// ExitStatus: how a process ended.
struct ExitStatus {
  int code = 0;
  int signal = 0;      // signal that killed the process; 0: it exited with `code`
  bool known = false;  // false: the process was reaped elsewhere, code and signal are unknown

  bool is_success() const noexcept { return known && code == 0 && signal == 0; }
};

// Redirect: what a standard stream of a child is connected to.
class Redirect {
 public:
  enum class Kind : unsigned char { inherit, null, pipe, descriptor, output };

  static Redirect inherit() noexcept { return Redirect(Kind::inherit); }
  static Redirect null() noexcept { return Redirect(Kind::null); }
  static Redirect pipe() noexcept { return Redirect(Kind::pipe); }
  // An open descriptor, which the caller keeps.
  static Redirect to(int descriptor) noexcept { return Redirect(Kind::descriptor, descriptor); }
  // For standard error: the same target as standard output.
  static Redirect to_output() noexcept { return Redirect(Kind::output); }

  Kind kind() const noexcept { return kind_; }
  int descriptor() const noexcept { return descriptor_; }

 private:
  explicit Redirect(Kind kind, int descriptor = -1) noexcept : kind_(kind), descriptor_(descriptor) {}
  Kind kind_;
  int descriptor_;
};

// KillTarget: the process itself or its process group.
enum class KillTarget : unsigned char { process, group };

// ProcessOptions: what to start and how.
struct ProcessOptions {
  std::vector<std::string> argv = {};                                  // program and arguments
  std::optional<std::vector<std::string>> environment = std::nullopt;  // "NAME=value"; default: that of this process
  std::string directory = {};                                          // working directory; empty: that of this process
  Redirect input = Redirect::inherit();
  Redirect output = Redirect::inherit();
  Redirect error_output = Redirect::inherit();
  bool own_group = true;  // own process group, so that descendants can be killed with it; default: yes
};

class TRUEASYNC_EXPORT Process {
 public:
  // Throws IoError, and MisuseError if `argv` is empty.
  static Process spawn(const ProcessOptions& options);
  // A handle for a process started elsewhere: no pipes; the exit status is known only for a child of this process.
  static Process attach(int pid);

  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  int pid() const noexcept;
  // Suspends until the process has exited; any number of coroutines may wait. Throws TimeoutError, OperationCancelled,
  // Cancelled; the process continues to run.
  ExitStatus wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Never suspends; std::nullopt while the process runs.
  std::optional<ExitStatus> status() const noexcept;
  // Sends a signal. Returns false if the process has exited. Once it is reaped, its group is not signalled either,
  // because the number may be reused. IoError if the signal is not permitted; MisuseError for the group of a process
  // without its own group.
  bool kill(int signal = SIGTERM, KillTarget target = KillTarget::process);

  // The parent's ends of the pipes; empty handles without a pipe. Closing input() ends the child's input.
  Io& input() noexcept { return input_; }
  Io& output() noexcept { return output_; }
  Io& error_output() noexcept { return errors_; }

  // Fires when the process has exited.
  Event& event() const noexcept;

 private:
  friend struct detail::Access;
  friend struct detail::ExecRun;
  enum class Reaping : unsigned char { immediate, deferred };  // deferred: see ProcessEvent::defer_reap()
  static Process spawn(const ProcessOptions& options, Reaping reaping);
  explicit Process(Ref<detail::ProcessEvent> event) noexcept;
  detail::ProcessEvent& handle() const noexcept { return *event_; }

  Ref<detail::ProcessEvent> event_;
  Io input_;
  Io output_;
  Io errors_;
  bool own_group_ = false;
};

// Exec: runs a program to its end with input, output and limits, while other coroutines run.
//
//   ta::ExecResult result = ta::exec({.command = "git log --oneline | head -3"}, 5s);
//   if (result.status.is_success()) use(result.output);
//
// The call returns when the process has exited and its output has been read to the end. Descendants that keep the
// output open delay the return; `output_timeout` bounds that delay. A timeout, a token, a cancellation or a throwing
// callback kills the process group (SIGTERM, after `grace` SIGKILL) and waits until the process is reaped, so no
// process or descriptor leaks.
//
// Ownership: the process and its pipes during the call.
// Thread safety: one runtime.
// Errors: IoError if the program cannot be started ("exec foo: No such file or directory"), errors of a callback or of
// the input stream, OperationCancelled, Cancelled. A timeout is not an error but part of the result, so the output is
// kept.

// LineHandler: gets one line without its "\n" or "\r\n"; the last line may lack the terminator. Lines longer than 64
// KiB are delivered in pieces. The handler runs in its own coroutine and may suspend; the program then blocks when the
// pipe is full.
using LineHandler = std::function<void(std::string_view line)>;

// StderrMode: where standard error goes.
enum class StderrMode : unsigned char {
  capture,  // to ExecResult::error_output
  merge,    // to the output, in the order written
  inherit,  // to the standard error of this process
  discard,
};

// ExecOverflow: what happens when the program writes more than max_captured bytes.
enum class ExecOverflow : unsigned char {
  truncate,  // the excess is read and dropped
  kill,      // the program is killed, as after a timeout
};

// ExecOptions: what to run and how. Set either `command` or `argv`.
struct ExecOptions {
  std::string command = {};                                            // for /bin/sh -c
  std::vector<std::string> argv = {};                                  // program and arguments, without a shell
  std::optional<std::vector<std::string>> environment = std::nullopt;  // "NAME=value"; default: that of this process
  std::string directory = {};                                          // working directory; empty: that of this process
  std::string input = {};                                              // standard input of the program
  Stream* input_stream = nullptr;  // standard input, read to its end; instead of `input`
  StderrMode stderr_mode = StderrMode::capture;
  LineHandler on_output_line = nullptr;         // called per line instead of capturing the output
  LineHandler on_error_line = nullptr;          // called per line instead of capturing standard error
  std::size_t max_captured = 16 * 1024 * 1024;  // bytes, for output and error output each; default 16 MiB
  ExecOverflow overflow = ExecOverflow::truncate;
  std::chrono::nanoseconds grace = std::chrono::seconds(2);  // between SIGTERM and SIGKILL; default 2 s
  std::optional<Duration> output_timeout =
      std::nullopt;  // how long descendants may hold the output after the exit; default: unlimited
};

// ExecResult: the result of exec().
struct ExecResult {
  ExitStatus status = {};
  std::string output = {};
  std::string error_output = {};
  bool timed_out = false;
  bool truncated = false;  // more than max_captured bytes were written
};

TRUEASYNC_EXPORT ExecResult exec(ExecOptions options, WaitOptions wait = {},
                                 SourceLocation location = SourceLocation::current());

}  // namespace trueasync
