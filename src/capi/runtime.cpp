// The runtime table of the C API.
#include "trueasync/runtime.hpp"

#include "capi/handles.hpp"
#include "capi/switch_hooks.hpp"
#include "capi/tables.hpp"

namespace trueasync::detail {

namespace {

Runtime& runtime_of(ta_runtime* runtime) {
  return *require_non_null(reinterpret_cast<Runtime*>(runtime), "the runtime");
}

RuntimeOptions to_native_options(const ta_runtime_options* caller_options) {
  const ta_runtime_options options = read_options(caller_options, "ta_runtime_options");
  check_flags(options.flags, TA_RUNTIME_MEASURE_STACKS, "ta_runtime_options.flags");
  RuntimeOptions native;
  if (options.stack_size != 0) native.stack_size = options.stack_size;
  native.max_stacks = options.max_stacks;
  native.measure_stacks = options.flags & TA_RUNTIME_MEASURE_STACKS;
  for (size_t i = 0; i < options.shutdown_signal_count; ++i) {
    native.shutdown_signals.push_back(
        require_non_null(options.shutdown_signals, "ta_runtime_options.shutdown_signals")[i]);
  }
  if (options.shutdown_timeout_ns < 0) throw MisuseError("ta_runtime_options.shutdown_timeout_ns must not be negative");
  native.shutdown_timeout = to_optional_time(options.shutdown_timeout_ns);
  if (options.on_unhandled) {
    native.on_unhandled = [hook = options.on_unhandled, context = options.context](const Coroutine& coroutine,
                                                                                   std::exception_ptr failure) {
      ta_error error = empty_error();
      set_error_from(&error, failure);
      CallbackGuard guard("the on_unhandled handler");
      return hook(context, handle_of(Access::block(coroutine)), &error);
    };
  }
  return native;
}

ta_status run(const ta_runtime_options* options, ta_function main, void* argument, ta_location location,
              ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(main, "the main function");
    Runtime runtime(to_native_options(options));
    runtime.run(CFunction(main, argument, nullptr), to_location(location));
  });
}

ta_status create(const ta_runtime_options* options, ta_runtime** runtime, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(runtime, "the output parameter `runtime`");
    *runtime = reinterpret_cast<ta_runtime*>(new Runtime(to_native_options(options)));
  });
}

ta_status attach(ta_runtime* runtime, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { runtime_of(runtime).attach(to_location(location)); });
}

ta_status detach(ta_runtime* runtime, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { runtime_of(runtime).detach(to_location(location)); });
}

ta_status run_once(ta_runtime* runtime, bool* more, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const bool has_more = runtime_of(runtime).run_once(to_location(location));
    if (more) *more = has_more;
  });
}

ta_status run_until(ta_runtime* runtime, ta_event* event, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { runtime_of(runtime).run_until(*event_of(event), to_location(location)); });
}

int backend_fd(ta_runtime* runtime) noexcept {
  return runtime ? reinterpret_cast<Runtime*>(runtime)->backend_fd() : -1;
}

int64_t next_timeout_ns(ta_runtime* runtime) noexcept {
  if (!runtime) return TA_NO_TIMEOUT;
  auto& native = *reinterpret_cast<Runtime*>(runtime);
  const auto deadline = native.next_deadline();
  if (!deadline) return TA_NO_TIMEOUT;
  const auto remaining = *deadline - Access::scheduler(native).reactor().now();
  return remaining.count() > 0 ? std::chrono::duration_cast<std::chrono::nanoseconds>(remaining).count() : 0;
}

ta_status on_main_start(ta_runtime* runtime, ta_switch_handler handler, void* argument, ta_error* error) noexcept {
  return catch_to_status(error, [&] { runtime_of(runtime).on_main_start(to_switch_handler(handler, argument)); });
}

void shut_down(ta_runtime* runtime) noexcept {
  if (runtime) reinterpret_cast<Runtime*>(runtime)->shut_down();
}

ta_status statistics(ta_runtime* runtime, ta_statistics* output, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const Statistics counts = runtime_of(runtime).statistics();
    const LeakReport leaks = runtime_of(runtime).leak_report();
    ta_statistics result = {};
    result.spawned = counts.spawned;
    result.finished = counts.finished;
    result.switches = counts.switches;
    result.polls_without_wait = counts.polls_without_wait;
    result.polls_blocking = counts.polls_blocking;
    result.microtasks = counts.microtasks;
    result.leaked_coroutines = leaks.coroutines;
    result.leaked_stacks = leaks.stacks;
    result.leaked_timers = leaks.timers;
    result.leaked_events = leaks.events;
    result.leaked_microtasks = leaks.microtasks;
    write_struct(output, result, "ta_statistics");
  });
}

void destroy(ta_runtime* runtime) noexcept { delete reinterpret_cast<Runtime*>(runtime); }

}  // namespace

constinit const ta_runtime_table kRuntimeTable = {
    .head = table_head<ta_runtime_table>(),
    .run = &run,
    .create = &create,
    .attach = &attach,
    .detach = &detach,
    .run_once = &run_once,
    .run_until = &run_until,
    .backend_fd = &backend_fd,
    .next_timeout_ns = &next_timeout_ns,
    .on_main_start = &on_main_start,
    .shut_down = &shut_down,
    .statistics = &statistics,
    .destroy = &destroy,
    .load_extension = &load_extension,
};

}  // namespace trueasync::detail
