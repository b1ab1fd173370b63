// The portable switch, on the C functions of Boost.Context. They do not touch the exception state, so ExceptionState
// remains its only owner. Context fields: sp is Boost's handle; for a context that has not run yet, pc is the entry and
// fp its argument. Boost passes the handle of the suspended context to the resumed context, which stores it.
#pragma once

#include <boost/context/detail/fcontext.hpp>

namespace trueasync::detail {

// Stored on the stack of the suspending context; the resumed context reads it first.
struct BoostTransfer {
  Context* from;
  Context* to;
};

[[gnu::always_inline]] inline void raw_switch(Context& from, Context& to) {
  BoostTransfer contexts{&from, &to};
  const boost::context::detail::transfer_t transfer = boost::context::detail::jump_fcontext(to.sp, &contexts);
  static_cast<const BoostTransfer*>(transfer.data)->from->sp = transfer.fctx;
}

}  // namespace trueasync::detail
