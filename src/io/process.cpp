#include "trueasync/io/process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "io/process_spawner.hpp"
#include "reactor/process_event.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"

namespace trueasync {

namespace {

Io adopt_end(detail::UniqueFd& descriptor, std::string name) {
  if (descriptor.get() < 0) return Io();
  Io end = Io::adopt(descriptor.get(), std::move(name));
  descriptor.release();
  return end;
}

}  // namespace

Process::Process(Ref<detail::ProcessEvent> event) noexcept : event_(std::move(event)) {}
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;
Process::~Process() = default;

Process Process::spawn(const ProcessOptions& options) { return spawn(options, Reaping::immediate); }

Process Process::spawn(const ProcessOptions& options, Reaping reaping) {
  detail::Reactor& reactor = detail::require_scheduler("Process::spawn").reactor();
  detail::ProcessSpawner spawner(options);
  // Adopts the parent's ends first: after the child has started, only the creation of its event may fail.
  const std::string& name = options.argv[0];
  Io input = adopt_end(spawner.parent_end(STDIN_FILENO), name + " (input)");
  Io output = adopt_end(spawner.parent_end(STDOUT_FILENO), name + " (output)");
  Io errors = adopt_end(spawner.parent_end(STDERR_FILENO), name + " (errors)");
  Process process(reactor.new_process(spawner.start()));
  if (reaping == Reaping::deferred)
    process.event_->defer_reap();  // must precede enable_auto_reap(), which may reap the child
  process.event_->enable_auto_reap();
  process.own_group_ = options.own_group;
  process.input_ = std::move(input);
  process.output_ = std::move(output);
  process.errors_ = std::move(errors);
  return process;
}

Process Process::attach(int pid) {
  if (pid <= 0) throw MisuseError("Process::attach: the pid must be positive (got " + std::to_string(pid) + ")");
  return Process(detail::require_scheduler("Process::attach").reactor().new_process(pid));
}

int Process::pid() const noexcept { return event_->pid(); }

Event& Process::event() const noexcept { return *event_; }

ExitStatus Process::wait(WaitOptions options, SourceLocation location) {
  const Ref<detail::ProcessEvent> event = event_;  // the Process may be destroyed during the wait
  Event* events[] = {event.get()};
  wait_any(events, options, location);
  return {event->end().code, event->end().signal, event->end().known};
}

std::optional<ExitStatus> Process::status() const noexcept {
  if (!event_->has_ended()) return std::nullopt;
  return ExitStatus{event_->end().code, event_->end().signal, event_->end().known};
}

bool Process::kill(int signal, KillTarget target) {
  int code = 0;
  if (target == KillTarget::process) {
    code = event_->send_signal(signal);
  } else {
    if (!own_group_)
      throw MisuseError("Process::kill: the process does not have its own group; set ProcessOptions::own_group");
    code = event_->send_signal_to_group(signal);
  }
  if (code != 0 && code != ESRCH) throw IoError("kill " + std::to_string(pid()), code);
  return code == 0;
}

}  // namespace trueasync
