// Combines scheduler and reactor. Also implements trueasync/runtime.hpp.
#include "trueasync/runtime.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "reactor/epoll/epoll_reactor.hpp"
#include "runtime/shutdown_signals.hpp"
#include "scheduler/api_support.hpp"
#include "scheduler/report.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/detail/thread_channel_base.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

using detail::Scheduler;

struct Runtime::State {
  RuntimeOptions options;
  std::unique_ptr<detail::Reactor> reactor;
  std::unique_ptr<Scheduler> scheduler;
  detail::ShutdownSignals signals;
};

namespace {

detail::SchedulerOptions scheduler_options(RuntimeOptions& options) {
  detail::SchedulerOptions result;
  result.stacks.stack_size = options.stack_size;
  result.stacks.guard_size = options.guard_size;
  result.stacks.guard = static_cast<detail::GuardKind>(options.guard);
  result.stacks.max_stacks = options.max_stacks;
  result.stacks.floor = options.warm_stacks;
  result.stacks.measure_use = options.measure_stacks;
  if (options.on_stack) {
    using Hook = decltype(options.on_stack);
    result.stacks.hook_user = &options.on_stack;
    result.stacks.on_stack_created = [](void* limit, void* top, void* user) {
      (*static_cast<Hook*>(user))(limit, top, true);
    };
    result.stacks.on_stack_destroyed = [](void* limit, void* top, void* user) {
      (*static_cast<Hook*>(user))(limit, top, false);
    };
  }
  result.shutdown_timeout = options.shutdown_timeout;
  if (options.on_unhandled) {
    result.on_unhandled = [&options](detail::ControlBlock& block, std::exception_ptr error) {
      return options.on_unhandled(detail::Access::coroutine(&block), std::move(error));
    };
  }
  return result;
}

// attach(), run_once(), run_until() and detach() must be called by the main coroutine.
void check_is_main(Scheduler& scheduler, const char* operation) {
  if (Scheduler::current() != &scheduler) {
    throw MisuseError(std::string(operation) + "() needs a runtime that was attached by this thread");
  }
  if (scheduler.running() != scheduler.main()) {
    throw MisuseError(std::string(operation) + "() can only be called by main; use await, yield or delay");
  }
}

}  // namespace

Runtime::Runtime(RuntimeOptions options) : Runtime(std::move(options), std::make_unique<detail::EpollReactor>()) {}

Runtime::Runtime(RuntimeOptions options, std::unique_ptr<detail::Reactor> reactor) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
  state_->reactor = std::move(reactor);
  state_->scheduler = std::make_unique<Scheduler>(*state_->reactor, scheduler_options(state_->options));
}

Runtime::~Runtime() {
  if (state_->scheduler->is_attached()) abandon_session();
  state_->scheduler.reset();
  state_->reactor->close();
}

void Runtime::attach(SourceLocation location) {
  state_->scheduler->attach(location);
  try {
    state_->signals.start(*state_->scheduler, state_->options.shutdown_signals);
  } catch (...) {
    abandon_session();
    throw;
  }
}

void Runtime::detach(SourceLocation location) {
  Scheduler& scheduler = *state_->scheduler;
  check_is_main(scheduler, "detach");
  scheduler.drain(location);
  detail::close_thread_channels();
  std::exception_ptr failure = scheduler.take_failure();
  state_->signals.stop();
  scheduler.detach();
  if (failure) std::rethrow_exception(failure);
}

void Runtime::abandon_session() noexcept {
  Scheduler& scheduler = *state_->scheduler;
  scheduler.shut_down(nullptr);
  scheduler.drain(SourceLocation::current());
  detail::close_thread_channels();
  state_->signals.stop();
  scheduler.detach();
}

bool Runtime::run_once(SourceLocation location) {
  check_is_main(*state_->scheduler, "run_once");
  state_->scheduler->run_once(location);
  return state_->scheduler->has_ready();
}

void Runtime::run_until_idle(SourceLocation location) {
  while (run_once(location)) {
  }
}

void Runtime::run_until(Event& event, SourceLocation location) {
  check_is_main(*state_->scheduler, "run_until");
  WaitEntry entry(event);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  detail::throw_wait_error(*state_->scheduler, state_->scheduler->wait(request, location), &request);
}

int Runtime::backend_fd() const noexcept { return state_->reactor->backend_fd(); }

std::optional<std::chrono::steady_clock::time_point> Runtime::next_deadline() const noexcept {
  const TimePoint next = state_->reactor->timers().next();
  return next == TimePoint::max() ? std::nullopt : std::optional(next);
}

void Runtime::on_main_start(SwitchHandler handler) { state_->scheduler->add_main_start_handler(std::move(handler)); }

void Runtime::shut_down(std::exception_ptr error) noexcept { state_->scheduler->shut_down(std::move(error)); }

Statistics Runtime::statistics() const noexcept { return state_->scheduler->statistics(); }

LeakReport Runtime::leak_report() const { return state_->scheduler->leak_report(); }

Scheduler& Runtime::scheduler() noexcept { return *state_->scheduler; }

void shut_down() { detail::require_scheduler("shut_down").shut_down(nullptr); }

int fork_process() {
  Scheduler& scheduler = detail::require_scheduler("fork_process");
  const std::size_t others = scheduler.statistics().alive;
  if (others != 0) {
    throw MisuseError("fork_process: " + std::to_string(others) +
                      " other coroutines are live and would be incomplete in the child; wait until they have finished, "
                      "or start a program instead");
  }
  const int child = ::fork();
  if (child < 0) throw Error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) scheduler.reactor().after_fork();
  return child;
}

std::vector<Coroutine> coroutines() {
  std::vector<Coroutine> handles;
  for (detail::ControlBlock* block : detail::require_scheduler("coroutines").live_coroutines())
    handles.push_back(detail::Access::coroutine(block));
  return handles;
}

std::string dump() { return detail::format_dump(detail::require_scheduler("dump")); }

Statistics statistics() { return detail::require_scheduler("statistics").statistics(); }

}  // namespace trueasync
