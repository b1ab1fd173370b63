#include "context/context.hpp"

#if !defined(TRUEASYNC_CONTEXT_BOOST)

// In entry_x86_64.S and entry_aarch64.S. Only its address is used: it does not follow a calling convention.
extern "C" void trueasync_context_entry();

namespace trueasync::detail {

void make_context(Context& context, void* limit, void* top, ContextEntry entry, void* argument) {
  context.eh = ExceptionState{};
  sanitizer_reuse_stack(limit, top);
  sanitizer_create(context.sanitizer, limit, top);

  const std::uintptr_t aligned = reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15};
  void** frame = reinterpret_cast<void**>(aligned) - 2;
  frame[0] = reinterpret_cast<void*>(entry);
  frame[1] = argument;
  context.sp = frame;
  context.fp = nullptr;
  context.pc = reinterpret_cast<void*>(&trueasync_context_entry);
}

}  // namespace trueasync::detail

#endif
