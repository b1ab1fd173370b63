// The reactor table of the C API: descriptors, timers, signals, triggers, processes.
#include "capi/address.hpp"
#include "capi/handles.hpp"
#include "capi/tables.hpp"
#include "reactor/descriptor_registration.hpp"
#include "reactor/timer_event.hpp"
#include "trueasync/event.hpp"
#include "trueasync/io/process.hpp"
#include "trueasync/io/signal.hpp"

namespace trueasync::detail {

namespace {

static_assert(unsigned{TA_READABLE} == kPollReadable && unsigned{TA_WRITABLE} == kPollWritable &&
              unsigned{TA_POLL_ERROR} == kPollError);

Ref<Event> new_poll(int descriptor, uint32_t interest) {
  check_flags(interest, TA_READABLE | TA_WRITABLE, "poll: interest");
  if (interest == 0) throw MisuseError("poll: interest must contain TA_READABLE or TA_WRITABLE");
  return trueasync::poll_event(descriptor, static_cast<trueasync::Readiness>(interest));
}

// The descriptor stays registered between waits: a new registration for each wait would cost seven system calls. An
// event for both directions and a simulation do not support this and use new_poll().
Ref<Event> new_persistent_poll(int descriptor, uint32_t interest) {
  if (interest != TA_READABLE && interest != TA_WRITABLE) return new_poll(descriptor, interest);
  try {
    const Ref<DescriptorRegistration> registration =
        require_scheduler("poll_event").reactor().new_registration(descriptor, PollMode::level);
    return Ref<Event>(interest == TA_READABLE ? &registration->readable() : &registration->writable());  // retains it
  } catch (const Error&) {
    return new_poll(descriptor, interest);
  }
}

ta_status poll(int descriptor, uint32_t interest, int64_t timeout_ns, uint32_t* ready, ta_location location,
               ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    const Ref<Event> event = new_poll(descriptor, interest);
    const Notification result = wait_for(*event, timeout_ns, to_location(location), "poll");
    if (result.error) return set_error_from(error, result.error);
    if (ready) *ready = static_cast<uint32_t>(result.value);
    return TA_OK;
  });
}

ta_status poll_event(int descriptor, uint32_t interest, ta_event** event, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(event, "the output parameter `event`");
    *event = handle_of(new_persistent_poll(descriptor, interest).detach());
  });
}

ta_status timer_event(int64_t delay_ns, int64_t period_ns, ta_event** event, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    if (delay_ns < 0 || period_ns < 0) throw MisuseError("timer_event: delay and period must not be negative");
    require_non_null(event, "the output parameter `event`");
    Reactor& reactor = require_scheduler("timer_event").reactor();
    *event = handle_of(static_cast<Event*>(
        new TimerEvent(reactor, std::chrono::nanoseconds(delay_ns), std::chrono::nanoseconds(period_ns))));
  });
}

ta_status timer_rearm(ta_event* event, int64_t delay_ns, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    auto* timer = dynamic_cast<TimerEvent*>(event_of(event));
    if (!timer) throw MisuseError("timer_rearm: not a timer event: " + event_of(event)->describe());
    if (delay_ns < 0) throw MisuseError("timer_rearm: the delay must not be negative");
    timer->rearm(std::chrono::nanoseconds(delay_ns));
  });
}

ta_status signal_event(int number, ta_event** event, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(event, "the output parameter `event`");
    *event = handle_of(trueasync::signal_event(number).detach());
  });
}

ta_status trigger_create(ta_trigger** trigger, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(trigger, "the output parameter `trigger`");
    *trigger = reinterpret_cast<ta_trigger*>(require_scheduler("trigger_create").reactor().new_trigger().detach());
  });
}

TriggerEvent* trigger_of(ta_trigger* trigger) noexcept { return reinterpret_cast<TriggerEvent*>(trigger); }

void trigger_fire(ta_trigger* trigger) noexcept {
  if (trigger) trigger_of(trigger)->fire();
}

ta_event* trigger_event(ta_trigger* trigger) noexcept { return handle_of(static_cast<Event*>(trigger_of(trigger))); }

void trigger_destroy(ta_trigger* trigger) noexcept {
  if (trigger) trigger_of(trigger)->release();
}

ta_status process_watch(int pid, ta_process** process, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(process, "the output parameter `process`");
    *process = reinterpret_cast<ta_process*>(new Process(Process::attach(pid)));
  });
}

Process* process_of(ta_process* process) noexcept { return reinterpret_cast<Process*>(process); }

ta_event* process_event(ta_process* process) noexcept {
  return process ? handle_of(&process_of(process)->event()) : nullptr;
}

ta_status process_exit(ta_process* process, ta_exit_status* exit, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    const std::optional<ExitStatus> status = process_of(require_non_null(process, "the process"))->status();
    if (!status) return ta_fail(error, TA_EMPTY, 0, "process_exit: the process is still running");
    ta_exit_status result = {};
    result.code = status->code;
    result.signal = status->signal;
    result.known = status->known;
    write_struct(exit, result, "ta_exit_status");
    return TA_OK;
  });
}

void process_release(ta_process* process) noexcept { delete process_of(process); }

int64_t now() noexcept {
  Scheduler* scheduler = Scheduler::current();
  const TimePoint time = scheduler ? scheduler->reactor().now() : Clock::now();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

}  // namespace

constinit const ta_reactor_table kReactorTable = {
    .head = table_head<ta_reactor_table>(),
    .poll = &poll,
    .poll_event = &poll_event,
    .timer_event = &timer_event,
    .timer_rearm = &timer_rearm,
    .signal_event = &signal_event,
    .trigger_create = &trigger_create,
    .trigger_fire = &trigger_fire,
    .trigger_event = &trigger_event,
    .trigger_destroy = &trigger_destroy,
    .lookup_create = &lookup_create,
    .lookup_event = &lookup_event,
    .lookup_addresses = &lookup_addresses,
    .lookup_destroy = &lookup_destroy,
    .resolve = &c_resolve,
    .address_text = &address_text,
    .process_watch = &process_watch,
    .process_event = &process_event,
    .process_exit = &process_exit,
    .process_release = &process_release,
    .now = &now,
};

}  // namespace trueasync::detail
