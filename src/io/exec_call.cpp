// The coroutines of a call of exec(), and how it begins.
#include "io/exec_call.hpp"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "reactor/process_event.hpp"
#include "trueasync/buffered_reader.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

constexpr std::size_t kPieceSize = 16 * 1024;

ProcessOptions process_options(const ExecOptions& options) {
  if (options.command.empty() == options.argv.empty()) {
    throw MisuseError("exec needs either a command or an argv");
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

void feed(ExecRun& run) {
  Io& pipe = run.process.input();
  if (!run.options.input_stream) {
    pipe.write(run.options.input);
    return;
  }
  std::vector<std::byte> piece(kPieceSize);
  while (const std::size_t count = run.options.input_stream->read(piece)) {
    pipe.write(ConstBytes(piece).first(count));
  }
}

void emit_lines(Io& pipe, const LineHandler& handler) {
  BufferedReader reader(pipe, kPieceSize);
  while (true) {
    std::optional<std::string_view> line;
    std::string piece;
    try {
      line = reader.read_line();
      if (!line) return;
    } catch (const TooLongError&) {
      // What follows the limit may hold the end of the line.
      const ConstBytes bytes = reader.buffered().first(BufferedReader::kDefaultMax);
      piece.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      reader.consume(bytes.size());
    }
    handler(line ? *line : piece);
  }
}

void capture(ExecRun& run, Io& pipe, std::string& into) {
  std::vector<std::byte> piece(kPieceSize);
  while (const std::size_t count = pipe.read(piece)) {
    const std::size_t room = run.options.max_captured - into.size();
    into.append(reinterpret_cast<const char*>(piece.data()), std::min(room, count));
    if (count <= room) continue;
    run.result.truncated = true;
    if (run.options.overflow == ExecOverflow::kill) {
      run.output_limit_exceeded = true;
      return;
    }
  }
}

// Whatever goes wrong in here is the call's: it ends it and is thrown from there.
template <class F>
Task<void> start(const char* name, std::shared_ptr<ExecRun> run, F body) {
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

// Its group may have to be killed after it has ended: its number must not go to another one until then.
ExecRun::ExecRun(ExecOptions given)
    : options(std::move(given)), process(Process::spawn(process_options(options), Process::Reaping::deferred)) {}

ExecCall::ExecCall(ExecOptions options, SourceLocation location)
    : run_(std::make_shared<ExecRun>(std::move(options))), location_(location) {
  try {
    if (run_->process.input()) {
      feeder_ = start("exec input", run_, [](ExecRun& run) {
        try {
          feed(run);
        } catch (const IoError& error) {
          // A program need not read all of its input.
          if (error.code() != EPIPE) throw;
        }
        run.process.input().close();
      });
    }
    readers_[0] = start("exec output", run_, [](ExecRun& run) {
      Io& pipe = run.process.output();
      run.options.on_output_line ? emit_lines(pipe, run.options.on_output_line) : capture(run, pipe, run.result.output);
    });
    if (!run_->process.error_output()) return;
    readers_[1] = start("exec errors", run_, [](ExecRun& run) {
      Io& pipe = run.process.error_output();
      run.options.on_error_line ? emit_lines(pipe, run.options.on_error_line)
                                : capture(run, pipe, run.result.error_output);
    });
  } catch (...) {
    // No stack for one of them: nothing may be left running.
    protect([&] {
      terminate();
      settle();
    });
    throw;
  }
}

}  // namespace trueasync::detail
