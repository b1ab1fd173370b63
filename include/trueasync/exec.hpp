// exec: runs a program to its end with input, output and limits, while other coroutines run.
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
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trueasync/export.hpp"
#include "trueasync/process.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/stream.hpp"

namespace trueasync {

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
