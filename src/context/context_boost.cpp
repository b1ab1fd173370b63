// make_context for the portable switch (switch_boost.hpp).
#include "context/context.hpp"

#if defined(TRUEASYNC_CONTEXT_BOOST)

#include "base/check.hpp"

namespace trueasync::detail {
namespace {

void enter(boost::context::detail::transfer_t transfer) {
  const BoostTransfer contexts = *static_cast<const BoostTransfer*>(transfer.data);
  contexts.from->sp = transfer.fctx;
  reinterpret_cast<ContextEntry>(contexts.to->pc)(contexts.to->fp);
  check_failed("entry never returns", "context entry returned", __FILE__, __LINE__);
}

}  // namespace

void make_context(Context& context, void* limit, void* top, ContextEntry entry, void* argument) {
  context.eh = ExceptionState{};
  sanitizer_reuse_stack(limit, top);
  sanitizer_create(context.sanitizer, limit, top);

  const std::size_t size = static_cast<std::size_t>(static_cast<char*>(top) - static_cast<char*>(limit));
  context.sp = boost::context::detail::make_fcontext(top, size, &enter);
  context.fp = argument;
  context.pc = reinterpret_cast<void*>(entry);
}

}  // namespace trueasync::detail

#endif
