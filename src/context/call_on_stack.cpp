#include "context/context.hpp"
#include "context/valgrind.hpp"

#if !defined(TRUEASYNC_CONTEXT_BOOST)
// entry_x86_64.S, entry_aarch64.S.
extern "C" void trueasync_call_on_stack(void* top, trueasync::detail::ContextEntry call, void* argument);
#endif

namespace trueasync::detail {
namespace {

// The largest red zone of the supported CPUs: `top` may be the sp of a suspended leaf function.
constexpr std::uintptr_t kRedZone = 128;

struct StackCall {
  ContextEntry call;
  void* argument;
  SanitizerStackCall sanitizer;
};

// noexcept: the unwinder cannot pass the assembly frame.
TRUEASYNC_NO_ASAN void run(void* argument) noexcept {
  StackCall& call = *static_cast<StackCall*>(argument);
  sanitizer_enter_call(call.sanitizer);
  call.call(call.argument);
  sanitizer_leave_call(call.sanitizer);
}

#if defined(TRUEASYNC_CONTEXT_BOOST)
void enter(boost::context::detail::transfer_t transfer) {
  run(transfer.data);
  boost::context::detail::jump_fcontext(transfer.fctx, nullptr);
}

void raw_call(void* top, StackCall& call, std::size_t room) {
  boost::context::detail::jump_fcontext(boost::context::detail::make_fcontext(top, room, &enter), &call);
}
#else
void raw_call(void* top, StackCall& call, std::size_t) { trueasync_call_on_stack(top, &run, &call); }
#endif

}  // namespace

void call_on_stack(void* top, ContextEntry call, void* argument, std::size_t room) {
  const std::uintptr_t usable = (reinterpret_cast<std::uintptr_t>(top) - kRedZone) & ~std::uintptr_t{15};
  StackCall stack_call{call, argument, {}};
  valgrind_open_frame(reinterpret_cast<void*>(usable));
  sanitizer_before_call(stack_call.sanitizer, top, room);
  raw_call(reinterpret_cast<void*>(usable), stack_call, room - kRedZone);
  sanitizer_after_call(stack_call.sanitizer);
}

}  // namespace trueasync::detail
