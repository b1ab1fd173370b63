// Coroutines in C: spawn, await, cancel, yield, sleep, protect.
#include "capi/handles.hpp"
#include "capi/hooks.hpp"
#include "capi/options.hpp"
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

ta_status spawn(const ta_spawn_options* given, ta_coroutine** coroutine, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] {
    CCall call = call_of(given, &ta_spawn_options::entry);
    const ta_spawn_options options = read_options(checked(given, "the options"), "ta_spawn_options");
    check_flags(options.flags, TA_SPAWN_HIGH_PRIORITY, "ta_spawn_options.flags");
    checked(options.entry, "ta_spawn_options.entry");
    SpawnOptions native;
    if (options.name) native.name = options.name;
    native.stack_size = options.stack_size;
    if (options.flags & TA_SPAWN_HIGH_PRIORITY) native.priority = Priority::high;
    const Task<void> task = trueasync::spawn(native, std::move(call), place_of(place));
    if (!coroutine) return;
    task.coroutine().block()->retain();
    *coroutine = handle_of(task.coroutine().block());
  });
}

void retain(ta_coroutine* coroutine) noexcept {
  if (coroutine) reinterpret_cast<ControlBlock*>(coroutine)->retain();
}

void release(ta_coroutine* coroutine) noexcept {
  if (coroutine) reinterpret_cast<ControlBlock*>(coroutine)->release();
}

ta_status await(ta_coroutine* coroutine, int64_t limit, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] {
    const Coroutine keep(block_of(coroutine));
    ControlBlock& block = *keep.block();
    if (limit >= 0 && block.is_alive() && home_of(block, "await").running() != &block) {
      wait_for(block, limit, place_of(place), "await");
    }
    Coroutine hold;
    join(&block, nullptr, hold, place_of(place));
  });
}

ta_status cancel(ta_coroutine* coroutine, ta_error* error) noexcept {
  return guarded(error, [&] { Coroutine(block_of(coroutine)).cancel(); });
}

ta_status info(ta_coroutine* coroutine, ta_coroutine_info* filled, ta_error* error) noexcept {
  return guarded(error, [&] {
    const Coroutine handle(block_of(coroutine));
    ta_coroutine_info result = {};
    result.id = handle.id();
    result.name = handle.block()->name ? handle.block()->name : "";
    result.spawned = place_of(handle.spawn_place());
    result.suspended = place_of(handle.suspend_place());
    result.state = static_cast<ta_coroutine_state>(handle.state());
    result.cancel_requested = handle.is_cancellation_requested();
    result.cancelled = handle.is_cancelled();
    write_struct(filled, result, "ta_coroutine_info");
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

ta_status yield(ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] { trueasync::yield(place_of(place)); });
}

ta_status sleep(int64_t nanoseconds, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] {
    if (nanoseconds < 0) throw MisuseError("sleep: a negative time; wait for an event to wait without a limit");
    delay(std::chrono::nanoseconds(nanoseconds), place_of(place));
  });
}

ta_status protect(ta_call call, void* argument, ta_error* error) noexcept {
  return guarded(error, [&]() -> ta_status {
    checked(call, "the function");
    ProtectGuard guard;
    ta_error own = empty_error();
    if (const ta_status status = call(argument, &own); status != TA_OK) {
      return ta_fail(error, status, own.system, own.message);
    }
    guard.finish();
    return TA_OK;
  });
}

ta_status on_thread_stack(ta_call call, void* argument, ta_error* error) noexcept {
  return guarded(error, [&]() -> ta_status {
    checked(call, "the function");
    ta_error own = empty_error();
    ta_status status = TA_OK;
    trueasync::on_thread_stack([&] { status = call(argument, &own); });
    return status == TA_OK ? TA_OK : ta_fail(error, status, own.system, own.message);
  });
}

ta_status shut_down(ta_error* error) noexcept {
  return guarded(error, [] { trueasync::shut_down(); });
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
    .on_thread_stack = &on_thread_stack,
    .queue_microtask = &queue_c_microtask,
    .cancel_microtask = &cancel_c_microtask,
    .release_microtask = &release_c_microtask,
    .add_switch_handler = &add_c_switch_handler,
    .remove_switch_handler = &remove_c_switch_handler,
    .shut_down = &shut_down,
};

}  // namespace trueasync::detail
