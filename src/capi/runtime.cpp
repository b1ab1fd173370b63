// Running the runtime from C: all at once, or turn by turn.
#include "trueasync/runtime.hpp"

#include "capi/extension.hpp"
#include "capi/handles.hpp"
#include "capi/switch_hooks.hpp"
#include "capi/tables.hpp"

namespace trueasync::detail {

namespace {

Runtime& runtime_of(ta_runtime* runtime) {
  return *require_non_null(reinterpret_cast<Runtime*>(runtime), "the runtime");
}

RuntimeOptions native_options(const ta_runtime_options* given) {
  const ta_runtime_options options = read_options(given, "ta_runtime_options");
  check_flags(options.flags, TA_RUNTIME_MEASURE_STACKS, "ta_runtime_options.flags");
  RuntimeOptions native;
  if (options.stack_size != 0) native.stack_size = options.stack_size;
  native.max_stacks = options.max_stacks;
  native.measure_stacks = options.flags & TA_RUNTIME_MEASURE_STACKS;
  for (size_t i = 0; i < options.shutdown_signal_count; ++i) {
    native.shutdown_signals.push_back(
        require_non_null(options.shutdown_signals, "ta_runtime_options.shutdown_signals")[i]);
  }
  if (options.shutdown_timeout_ns < 0) throw MisuseError("ta_runtime_options.shutdown_timeout_ns is negative");
  native.shutdown_timeout = to_optional_time(options.shutdown_timeout_ns);
  if (options.on_unhandled) {
    native.on_unhandled = [hook = options.on_unhandled, context = options.context](const Coroutine& coroutine,
                                                                                   std::exception_ptr failure) {
      ta_error error = empty_error();
      set_error_from(&error, failure);
      CallbackGuard guard("a handler of unhandled errors");
      return hook(context, handle_of(Access::block(coroutine)), &error);
    };
  }
  return native;
}

ta_status run(const ta_runtime_options* options, ta_function main, void* argument, ta_location location,
              ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(main, "the main function");
    Runtime runtime(native_options(options));
    runtime.run(CFunction(main, argument, nullptr), to_location(location));
  });
}

ta_status create(const ta_runtime_options* options, ta_runtime** runtime, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(runtime, "the runtime");
    *runtime = reinterpret_cast<ta_runtime*>(new Runtime(native_options(options)));
  });
}

ta_status attach(ta_runtime* runtime, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { runtime_of(runtime).attach(to_location(location)); });
}

ta_status detach(ta_runtime* runtime, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { runtime_of(runtime).detach(to_location(location)); });
}

ta_status turn(ta_runtime* runtime, bool* more, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const bool is_more = runtime_of(runtime).run_once(to_location(location));
    if (more) *more = is_more;
  });
}

ta_status run_until(ta_runtime* runtime, ta_event* event, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { runtime_of(runtime).run_until(*event_of(event), to_location(location)); });
}

int backend_fd(ta_runtime* runtime) noexcept {
  return runtime ? reinterpret_cast<Runtime*>(runtime)->backend_fd() : -1;
}

int64_t next_deadline(ta_runtime* runtime) noexcept {
  if (!runtime) return TA_NO_TIMEOUT;
  auto& native = *reinterpret_cast<Runtime*>(runtime);
  const auto next = native.next_deadline();
  if (!next) return TA_NO_TIMEOUT;
  const auto left = *next - Access::scheduler(native).reactor().now();
  return left.count() > 0 ? std::chrono::duration_cast<std::chrono::nanoseconds>(left).count() : 0;
}

ta_status on_main_start(ta_runtime* runtime, ta_switch_handler handler, void* argument, ta_error* error) noexcept {
  return catch_to_status(error, [&] { runtime_of(runtime).on_main_start(native_switch_handler(handler, argument)); });
}

void shut_down(ta_runtime* runtime) noexcept {
  if (runtime) reinterpret_cast<Runtime*>(runtime)->shut_down();
}

ta_status statistics(ta_runtime* runtime, ta_statistics* filled, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const Statistics done = runtime_of(runtime).statistics();
    const LeakReport left = runtime_of(runtime).leak_report();
    ta_statistics result = {};
    result.spawned = done.spawned;
    result.finished = done.finished;
    result.switches = done.switches;
    result.polls_without_wait = done.polls_without_wait;
    result.polls_blocking = done.polls_blocking;
    result.microtasks = done.microtasks;
    result.left_coroutines = left.coroutines;
    result.left_stacks = left.stacks;
    result.left_timers = left.timers;
    result.left_events = left.events;
    result.left_microtasks = left.microtasks;
    write_struct(filled, result, "ta_statistics");
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
    .run_once = &turn,
    .run_until = &run_until,
    .backend_fd = &backend_fd,
    .next_timeout_ns = &next_deadline,
    .on_main_start = &on_main_start,
    .shut_down = &shut_down,
    .statistics = &statistics,
    .destroy = &destroy,
    .load_extension = &load_extension,
};

}  // namespace trueasync::detail
