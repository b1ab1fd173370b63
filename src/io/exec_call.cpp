// The start of an exec() call and the bodies of its coroutines.
#include "io/exec_call.hpp"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "reactor/process_event.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"
#include "trueasync/io/buffered_reader.hpp"

namespace trueasync::detail {

namespace {

constexpr std::size_t kChunkSize = 16 * 1024;

ProcessOptions process_options(const ExecOptions& options) {
  if (options.command.empty() == options.argv.empty()) {
    throw MisuseError("exec: set either ExecOptions::command or ExecOptions::argv");
  }
  ProcessOptions result;
  result.argv = options.argv.empty() ? std::vector<std::string>{"/bin/sh", "-c", options.command} : options.argv;
  result.environment = options.environment;
  result.directory = options.directory;
  const bool has_input = !options.input.empty() || options.input_stream;
  result.input = has_input ? Redirect::pipe() : Redirect::null();
  result.output = Redirect::pipe();
  switch (options.stderr_mode) {
    case StderrMode::capture:
      result.error_output = Redirect::pipe();
      break;
    case StderrMode::merge:
      result.error_output = Redirect::to_output();
      break;
    case StderrMode::inherit:
      result.error_output = Redirect::inherit();
      break;
    case StderrMode::discard:
      result.error_output = Redirect::null();
      break;
  }
  return result;
}

void write_input(ExecRun& run) {
  Io& pipe = run.process.input();
  if (!run.options.input_stream) {
    pipe.write_all(run.options.input);
    return;
  }
  std::vector<std::byte> chunk(kChunkSize);
  while (const std::size_t count = run.options.input_stream->read_some(chunk)) {
    pipe.write_all(ConstBytes(chunk).first(count));
  }
}

void emit_lines(Io& pipe, const LineHandler& handler) {
  BufferedReader reader(pipe, kChunkSize);
  while (true) {
    std::optional<std::string_view> line;
    std::string part;
    try {
      line = reader.read_line();
      if (!line) return;
    } catch (const TooLongError&) {
      // Only the first kDefaultMax bytes: the rest of the buffer may contain the end of the line.
      const ConstBytes bytes = reader.buffered().first(BufferedReader::kDefaultMax);
      part.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      reader.consume(bytes.size());
    }
    handler(line ? *line : part);
  }
}

void capture(ExecRun& run, Io& pipe, std::string& captured) {
  std::vector<std::byte> chunk(kChunkSize);
  while (const std::size_t count = pipe.read_some(chunk)) {
    const std::size_t space = run.options.max_captured - captured.size();
    captured.append(reinterpret_cast<const char*>(chunk.data()), std::min(space, count));
    if (count <= space) continue;
    run.result.truncated = true;
    if (run.options.overflow == ExecOverflow::kill) {
      run.output_limit_exceeded = true;
      return;
    }
  }
}

// Spawns a coroutine of the call. An error in it ends the call, which rethrows it.
template <class F>
Task<void> spawn_task(const char* name, std::shared_ptr<ExecRun> run, F body) {
  return spawn({.name = name}, [run = std::move(run), body = std::move(body)] {
    try {
      body(*run);
    } catch (const Cancelled&) {
      throw;
    } catch (...) {
      if (!run->failure) run->failure = std::current_exception();
    }
  });
}

}  // namespace

// Deferred reaping keeps the pid from being reused: the call may have to kill the group after the process has exited.
ExecRun::ExecRun(ExecOptions exec_options)
    : options(std::move(exec_options)), process(Process::spawn(process_options(options), Process::Reaping::deferred)) {}

ExecCall::ExecCall(ExecOptions options, SourceLocation location)
    : run_(std::make_shared<ExecRun>(std::move(options))), location_(location) {
  try {
    if (run_->process.input()) {
      feeder_ = spawn_task("exec input", run_, [](ExecRun& run) {
        try {
          write_input(run);
        } catch (const IoError& error) {
          // EPIPE: the program did not read all of its input.
          if (error.code() != EPIPE) throw;
        }
        run.process.input().close();
      });
    }
    readers_[0] = spawn_task("exec output", run_, [](ExecRun& run) {
      Io& pipe = run.process.output();
      run.options.on_output_line ? emit_lines(pipe, run.options.on_output_line) : capture(run, pipe, run.result.output);
    });
    if (!run_->process.error_output()) return;
    readers_[1] = spawn_task("exec errors", run_, [](ExecRun& run) {
      Io& pipe = run.process.error_output();
      run.options.on_error_line ? emit_lines(pipe, run.options.on_error_line)
                                : capture(run, pipe, run.result.error_output);
    });
  } catch (...) {
    // A coroutine could not be spawned. The process and the coroutines spawned before it must not keep running.
    protect([&] {
      terminate();
      finish_tasks();
    });
    throw;
  }
}

}  // namespace trueasync::detail
