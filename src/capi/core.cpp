// The core table of the C API: coroutines.
#include "capi/handles.hpp"
#include "capi/options.hpp"
#include "capi/switch_hooks.hpp"
#include "capi/tables.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/runtime.hpp"
#include "trueasync/task.hpp"
#include "trueasync/time.hpp"

namespace trueasync::detail {

namespace {

ta_coroutine* current() noexcept {
  Scheduler* scheduler = Scheduler::current();
  return scheduler ? handle_of(scheduler->running()) : nullptr;
}

ta_status spawn(const ta_spawn_options* caller_options, ta_coroutine** coroutine, ta_location location,
                ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    CFunction function = take_function(caller_options, &ta_spawn_options::entry);
    const ta_spawn_options options = read_options(require_non_null(caller_options, "the options"), "ta_spawn_options");
    check_flags(options.flags, TA_SPAWN_HIGH_PRIORITY, "ta_spawn_options.flags");
    require_non_null(options.entry, "ta_spawn_options.entry");
    SpawnOptions native;
    if (options.name) native.name = options.name;
    native.stack_size = options.stack_size;
    if (options.flags & TA_SPAWN_HIGH_PRIORITY) native.priority = Priority::high;
    const Task<void> task = trueasync::spawn(native, std::move(function), to_location(location));
    if (!coroutine) return;
    Access::block(task.coroutine())->retain();
    *coroutine = handle_of(Access::block(task.coroutine()));
  });
}

void retain(ta_coroutine* coroutine) noexcept {
  if (coroutine) reinterpret_cast<ControlBlock*>(coroutine)->retain();
}

void release(ta_coroutine* coroutine) noexcept {
  if (coroutine) reinterpret_cast<ControlBlock*>(coroutine)->release();
}

ta_status await(ta_coroutine* coroutine, int64_t timeout_ns, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const auto keep_alive = Access::coroutine(block_of(coroutine));
    ControlBlock& block = *Access::block(keep_alive);
    if (timeout_ns >= 0 && block.is_alive() && require_owner_thread(block, "await").running() != &block) {
      wait_for(block, timeout_ns, to_location(location), "await");
    }
    Coroutine joined;
    join(&block, {}, joined, to_location(location));
  });
}

ta_status cancel(ta_coroutine* coroutine, ta_error* error) noexcept {
  return catch_to_status(error, [&] { Access::coroutine(block_of(coroutine)).cancel(); });
}

ta_status info(ta_coroutine* coroutine, ta_coroutine_info* output, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const auto handle = Access::coroutine(block_of(coroutine));
    ta_coroutine_info result = {};
    result.id = handle.id();
    result.name = Access::block(handle)->name ? Access::block(handle)->name : "";
    result.spawn_location = to_location(handle.spawn_location());
    result.suspend_location = to_location(handle.suspend_location());
    result.state = static_cast<ta_coroutine_state>(handle.state());
    result.cancel_requested = handle.is_cancellation_requested();
    result.cancelled = handle.is_cancelled();
    write_struct(output, result, "ta_coroutine_info");
  });
}
static_assert(static_cast<unsigned>(CoroutineState::created) == TA_COROUTINE_CREATED &&
              static_cast<unsigned>(CoroutineState::running) == TA_COROUTINE_RUNNING &&
              static_cast<unsigned>(CoroutineState::suspended) == TA_COROUTINE_SUSPENDED &&
              static_cast<unsigned>(CoroutineState::ready) == TA_COROUTINE_READY &&
              static_cast<unsigned>(CoroutineState::finished) == TA_COROUTINE_FINISHED);

ta_event* event(ta_coroutine* coroutine) noexcept {
  return handle_of(static_cast<Event*>(reinterpret_cast<ControlBlock*>(coroutine)));
}

ta_status yield(ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { trueasync::yield(to_location(location)); });
}

ta_status sleep(int64_t duration_ns, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    if (duration_ns < 0)
      throw MisuseError("sleep: the duration must not be negative (" + std::to_string(duration_ns) + ")");
    delay(std::chrono::nanoseconds(duration_ns), to_location(location));
  });
}

ta_status protect(ta_function function, void* argument, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    require_non_null(function, "the function");
    CancellationShield shield;
    ta_error own = empty_error();
    if (const ta_status status = function(argument, &own); status != TA_OK) {
      return ta_fail(error, status, own.system, own.message);
    }
    shield.deliver_deferred();
    return TA_OK;
  });
}

ta_status run_on_thread_stack(ta_function function, void* argument, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    require_non_null(function, "the function");
    ta_error own = empty_error();
    ta_status status = TA_OK;
    trueasync::run_on_thread_stack([&] { status = function(argument, &own); });
    return status == TA_OK ? TA_OK : ta_fail(error, status, own.system, own.message);
  });
}

ta_status shut_down(ta_error* error) noexcept {
  return catch_to_status(error, [] { trueasync::shut_down(); });
}

}  // namespace

constinit const ta_core_table kCoreTable = {
    .head = table_head<ta_core_table>(),
    .current = &current,
    .spawn = &spawn,
    .retain = &retain,
    .release = &release,
    .await = &await,
    .cancel = &cancel,
    .info = &info,
    .event = &event,
    .yield = &yield,
    .sleep = &sleep,
    .protect = &protect,
    .run_on_thread_stack = &run_on_thread_stack,
    .queue_microtask = &queue_c_microtask,
    .cancel_microtask = &cancel_c_microtask,
    .release_microtask = &release_c_microtask,
    .add_switch_handler = &add_c_switch_handler,
    .remove_switch_handler = &remove_c_switch_handler,
    .shut_down = &shut_down,
};

}  // namespace trueasync::detail
