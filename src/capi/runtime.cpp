// Running the runtime from C: all at once, or turn by turn.
#include "trueasync/runtime.hpp"

#include "capi/extension.hpp"
#include "capi/handles.hpp"
#include "capi/hooks.hpp"
#include "capi/tables.hpp"

namespace trueasync::detail {

namespace {

Runtime& runtime_of(ta_runtime* runtime) { return *checked(reinterpret_cast<Runtime*>(runtime), "the runtime"); }

RuntimeOptions native_options(const ta_runtime_options* given) {
  const ta_runtime_options options = read_options(given, "ta_runtime_options");
  check_flags(options.flags, TA_RUNTIME_MEASURE_STACKS, "ta_runtime_options.flags");
  RuntimeOptions native;
  if (options.stack_size != 0) native.stack_size = options.stack_size;
  native.max_stacks = options.max_stacks;
  native.measure_stacks = options.flags & TA_RUNTIME_MEASURE_STACKS;
  for (size_t i = 0; i < options.shutdown_signal_count; ++i) {
    native.shutdown_signals.push_back(checked(options.shutdown_signals, "ta_runtime_options.shutdown_signals")[i]);
  }
  if (options.shutdown_limit < 0) throw MisuseError("ta_runtime_options.shutdown_limit is negative");
  native.shutdown_deadline =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(options.shutdown_limit));
  if (options.on_unhandled) {
    native.on_unhandled = [hook = options.on_unhandled, context = options.context](const Coroutine& coroutine,
                                                                                   std::exception_ptr failure) {
      ta_error error = empty_error();
      fail_with(&error, failure);
      CallbackGuard guard("a handler of unhandled errors");
      return hook(context, handle_of(coroutine.block()), &error);
    };
  }
  return native;
}

ta_status run(const ta_runtime_options* options, ta_call main, void* argument, ta_place place,
              ta_error* error) noexcept {
  return guarded(error, [&] {
    checked(main, "the main function");
    Runtime runtime(native_options(options));
    runtime.run(CCall(main, argument, nullptr), place_of(place));
  });
}

ta_status create(const ta_runtime_options* options, ta_runtime** runtime, ta_error* error) noexcept {
  return guarded(error, [&] {
    checked(runtime, "the runtime");
    *runtime = reinterpret_cast<ta_runtime*>(new Runtime(native_options(options)));
  });
}

ta_status attach(ta_runtime* runtime, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] { runtime_of(runtime).attach(place_of(place)); });
}

ta_status detach(ta_runtime* runtime, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] { runtime_of(runtime).detach(place_of(place)); });
}

ta_status turn(ta_runtime* runtime, bool* more, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] {
    const bool is_more = runtime_of(runtime).turn(place_of(place));
    if (more) *more = is_more;
  });
}

ta_status run_until(ta_runtime* runtime, ta_event* event, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] { runtime_of(runtime).run_until(*event_of(event), place_of(place)); });
}

int backend_fd(ta_runtime* runtime) noexcept {
  return runtime ? reinterpret_cast<Runtime*>(runtime)->backend_fd() : -1;
}

int64_t next_deadline(ta_runtime* runtime) noexcept {
  if (!runtime) return TA_FOREVER;
  auto& native = *reinterpret_cast<Runtime*>(runtime);
  const auto next = native.next_deadline();
  if (!next) return TA_FOREVER;
  const auto left = *next - native.scheduler().reactor().now();
  return left.count() > 0 ? std::chrono::duration_cast<std::chrono::nanoseconds>(left).count() : 0;
}

ta_status on_main_start(ta_runtime* runtime, ta_switch_handler handler, void* argument, ta_error* error) noexcept {
  return guarded(error, [&] { runtime_of(runtime).on_main_start(native_switch_handler(handler, argument)); });
}

void shut_down(ta_runtime* runtime) noexcept {
  if (runtime) reinterpret_cast<Runtime*>(runtime)->shut_down();
}

ta_status statistics(ta_runtime* runtime, ta_statistics* filled, ta_error* error) noexcept {
  return guarded(error, [&] {
    const Statistics done = runtime_of(runtime).statistics();
    const Ledger left = runtime_of(runtime).ledger();
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
    .turn = &turn,
    .run_until = &run_until,
    .backend_fd = &backend_fd,
    .next_deadline = &next_deadline,
    .on_main_start = &on_main_start,
    .shut_down = &shut_down,
    .statistics = &statistics,
    .destroy = &destroy,
    .load_extension = &load_extension,
};

}  // namespace trueasync::detail
