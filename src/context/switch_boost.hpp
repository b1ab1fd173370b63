// The portable switch, on the C functions below Boost.Context (they leave the exception state alone, so that it keeps
// one owner, XC-02). Context fields: sp is Boost's handle; for a context that has not run yet, pc is the entry and fp
// its argument. Boost tells a flow where it was left only on the other side, so the arriving side stores it.
#pragma once

#include <boost/context/detail/fcontext.hpp>

namespace trueasync::detail {

// Lives on the leaving stack; read once, first thing on the arriving side.
struct BoostPassage {
  Context* from;
  Context* to;
};

[[gnu::always_inline]] inline void raw_switch(Context& from, Context& to) {
  BoostPassage passage{&from, &to};
  const boost::context::detail::transfer_t arrived = boost::context::detail::jump_fcontext(to.sp, &passage);
  static_cast<const BoostPassage*>(arrived.data)->from->sp = arrived.fctx;
}

}  // namespace trueasync::detail
