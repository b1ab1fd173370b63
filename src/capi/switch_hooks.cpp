#include "capi/switch_hooks.hpp"

#include <memory>

#include "capi/handles.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/host.hpp"

namespace trueasync::detail {

namespace {

struct CMicrotask : Microtask {
  explicit CMicrotask(CFunction function) noexcept : call(std::move(function)) {
    handler = [](Microtask& self) noexcept -> std::exception_ptr {
      try {
        static_cast<CMicrotask&>(self).call();
        return nullptr;
      } catch (...) {
        return std::current_exception();
      }
    };
    destructor = [](Microtask& self) noexcept { delete static_cast<CMicrotask*>(&self); };
  }
  CFunction call;
};

CMicrotask* microtask_of(ta_microtask* microtask) noexcept { return reinterpret_cast<CMicrotask*>(microtask); }

Coroutine coroutine_or_current(ta_coroutine* coroutine) {
  return coroutine ? Access::coroutine(block_of(coroutine)) : current_coroutine();
}

}  // namespace

ta_status queue_c_microtask(ta_function function, void* argument, ta_dispose dispose, ta_microtask** microtask,
                            ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    CFunction owned(function, argument, dispose);
    require_non_null(function, "the function");
    require_scheduler("queue_microtask");
    auto task = std::make_unique<CMicrotask>(std::move(owned));
    queue_microtask(*task);
    if (microtask) {
      *microtask = reinterpret_cast<ta_microtask*>(task.release());
    } else {
      task.release()->release();
    }
  });
}

void cancel_c_microtask(ta_microtask* microtask) noexcept {
  if (microtask) microtask_of(microtask)->cancelled = true;
}

void release_c_microtask(ta_microtask* microtask) noexcept {
  if (microtask) microtask_of(microtask)->release();
}

SwitchHandler to_switch_handler(ta_switch_handler handler, void* argument) {
  static_assert(static_cast<unsigned>(SwitchKind::enter) == TA_SWITCH_ENTER &&
                static_cast<unsigned>(SwitchKind::leave) == TA_SWITCH_LEAVE &&
                static_cast<unsigned>(SwitchKind::finish) == TA_SWITCH_FINISH);
  require_non_null(handler, "the handler");
  return [handler, argument](const Coroutine& coroutine, SwitchKind kind) {
    return handler(handle_of(Access::block(coroutine)), static_cast<ta_switch_kind>(kind), argument);
  };
}

ta_status add_c_switch_handler(ta_coroutine* coroutine, ta_switch_handler handler, void* argument, uint64_t* id,
                               ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const SwitchHandlerId added =
        add_switch_handler(coroutine_or_current(coroutine), to_switch_handler(handler, argument));
    if (id) *id = added;
  });
}

ta_status remove_c_switch_handler(ta_coroutine* coroutine, uint64_t id, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    if (remove_switch_handler(coroutine_or_current(coroutine), id)) return TA_OK;
    return ta_fail(error, TA_EMPTY, 0, "remove_switch_handler: the handler is not installed");
  });
}

}  // namespace trueasync::detail
