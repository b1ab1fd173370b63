// Process: a child process, its pipes and its end.
//
//   ta::Process child = ta::Process::spawn({.argv = {"sort", "-n"}, .input = ta::Redirect::pipe(),
//                                           .output = ta::Redirect::pipe()});
//   child.input().write("2\n1\n");
//   child.input().close();
//   ta::ExitStatus status = child.wait();
//
// The program is looked for in our PATH. The child has no descriptors but its three standard ones, an empty signal mask
// and, unless asked otherwise, a process group of its own. Starting it suspends nobody: posix_spawn returns when the new
// program has begun, and says why it could not.
//
// Owns: our ends of the pipes; not the child's life: when the handle goes the child runs on, and the loop reaps it when it
// ends – no zombie is left. (A child that outlives the runtime is in its ledger.) Lifetime: may outlive the runtime; then
// only pid(), status() and kill() are of use. Threads: the runtime's.
// Errors: IoError "exec sort: No such file or directory".
//
// The loop is the only one that reaps (PR-07). If the program reaps children elsewhere – waitpid(-1), SIGCHLD ignored –
// the end is seen all the same, with a status that is not known (PR-02).
#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/io.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

namespace detail {
class ProcessEvent;
struct ExecRun;
}  // namespace detail

struct ExitStatus {
  int code = 0;
  int signal = 0;      // what killed it; 0: it exited by itself, with `code`
  bool known = false;  // false: somebody else reaped it, nobody can tell how it ended

  bool is_success() const noexcept { return known && code == 0 && signal == 0; }
};

// Where a standard stream of a child leads.
class Redirect {
 public:
  enum class Kind : unsigned char { inherit, null, pipe, descriptor, output };

  static Redirect inherit() noexcept { return Redirect(Kind::inherit); }
  static Redirect null() noexcept { return Redirect(Kind::null); }
  static Redirect pipe() noexcept { return Redirect(Kind::pipe); }
  // An open descriptor of ours, which stays ours.
  static Redirect to(int descriptor) noexcept { return Redirect(Kind::descriptor, descriptor); }
  // Standard error only: where standard output goes.
  static Redirect to_output() noexcept { return Redirect(Kind::output); }

  Kind kind() const noexcept { return kind_; }
  int descriptor() const noexcept { return descriptor_; }

 private:
  explicit Redirect(Kind kind, int descriptor = -1) noexcept : kind_(kind), descriptor_(descriptor) {}
  Kind kind_;
  int descriptor_;
};

// Whom a signal is for.
enum class KillTarget : unsigned char { process, group };

struct ProcessOptions {
  std::vector<std::string> argv = {};                                  // program and arguments
  std::optional<std::vector<std::string>> environment = std::nullopt;  // "NAME=value"; nothing: ours
  std::string directory = {};                                          // to start in; empty: ours
  Redirect input = Redirect::inherit();
  Redirect output = Redirect::inherit();
  Redirect error_output = Redirect::inherit();
  bool own_group = true;  // a process group of its own, so that it can be killed with all it started
};

class TRUEASYNC_EXPORT Process {
 public:
  // Throws IoError, MisuseError (no program named).
  static Process spawn(const ProcessOptions& options);
  // A handle for a process that somebody else started: no pipes, and its status is known only if it is our child.
  static Process attach(int pid);

  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  int pid() const noexcept;
  // Suspends until it has ended; any number may wait. Throws TimeoutError, Cancelled: the process runs on.
  ExitStatus wait(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());
  // Without waiting; nothing while it runs.
  std::optional<ExitStatus> status() const noexcept;
  // False when there is nobody (any more) to be signalled. The same for its group once the process has ended and was
  // reaped: the number may be another one's by then.
  // Throws IoError when it is not allowed, MisuseError for the group of a process that has none of its own.
  bool kill(int signal = SIGTERM, KillTarget target = KillTarget::process);

  // Our ends, where a pipe was asked for; empty handles otherwise. The child sees the end of its input when it is closed.
  Io& input() noexcept { return input_; }
  Io& output() noexcept { return output_; }
  Io& error_output() noexcept { return errors_; }

  // Fires when it has ended.
  Event& event() const noexcept;
  detail::ProcessEvent& handle() const noexcept { return *event_; }

 private:
  friend struct detail::ExecRun;
  enum class Reaping : unsigned char { immediate, deferred };  // see ProcessEvent::hold_back()
  static Process spawn(const ProcessOptions& options, Reaping reaping);
  explicit Process(Ref<detail::ProcessEvent> event) noexcept;

  Ref<detail::ProcessEvent> event_;
  Io input_;
  Io output_;
  Io errors_;
  bool own_group_ = false;
};

}  // namespace trueasync
