// exec: runs a program to its end – with input, output, limits – while other coroutines go on.
//
//   ta::ExecResult result = ta::exec({.command = "git log --oneline | head -3", .timeout = 5s});
//   if (result.status.is_success()) use(result.output);
//
// The call is over when the process has ended and its output has been read to the end: the end of the output alone says
// nothing of the exit code (PR-01). A program that leaves others running which hold its output keeps the call waiting;
// `linger` bounds that. A timeout, a cancellation, and a callback that throws kill the whole process group – SIGTERM,
// after `grace` SIGKILL – and wait until it is reaped: nothing is left, neither processes nor descriptors.
//
// Owns: process and pipes for the time of the call. Threads: the runtime's. Errors: IoError when it could not be started
// ("exec foo: No such file or directory"), what a callback or the input stream throws, Cancelled. A timeout is no error
// but a result, so that the output is not lost.
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

// Gets one line, without its "\n" or "\r\n"; the last one need not have it. Lines of more than 64 KiB come in pieces. It
// runs in a coroutine of the call's, not in the caller's; it may suspend, and then the program waits when the pipe is full.
using LineHandler = std::function<void(std::string_view line)>;

enum class StderrMode : unsigned char {
  capture,  // apart from the output
  merge,    // as part of the output, in the order written
  inherit,  // to our own standard error
  discard,
};

enum class ExecOverflow : unsigned char {
  truncate,  // what is too much is read and dropped
  kill,      // ends the program, as a timeout does
};

struct ExecOptions {
  std::string command = {};            // for /bin/sh, or …
  std::vector<std::string> argv = {};  // … program and arguments, without a shell; one of the two
  std::optional<std::vector<std::string>> environment = std::nullopt;  // "NAME=value"; nothing: ours
  std::string directory = {};                                          // empty: ours
  std::string input = {};                                              // what it reads, or …
  Stream* input_stream = nullptr;  // … where that comes from; read to its end. Neither: nothing
  StderrMode stderr_mode = StderrMode::capture;
  LineHandler on_output_line = nullptr;  // line by line, instead of captured
  LineHandler on_error_line = nullptr;
  std::size_t max_captured = 16 * 1024 * 1024;  // bytes, of output and errors each
  ExecOverflow overflow = ExecOverflow::truncate;
  Limit timeout = std::nullopt;
  std::chrono::nanoseconds grace = std::chrono::seconds(2);  // between SIGTERM and SIGKILL
  Limit output_timeout =
      std::nullopt;  // how long others may hold the output after the process has ended; nothing: as they like
};

struct ExecResult {
  ExitStatus status = {};
  std::string output = {};
  std::string error_output = {};
  bool timed_out = false;
  bool truncated = false;  // more was written than max_captured
};

TRUEASYNC_EXPORT ExecResult exec(ExecOptions options, SourceLocation location = SourceLocation::current());

}  // namespace trueasync
