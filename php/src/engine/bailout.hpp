// Catching a bailout, the longjmp() of the engine after a fatal error.
//
// A bailout must not jump over frames of the library or off the bottom of a coroutine's stack.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::engine {

// Runs the body. Returns false if a bailout ended it. No local of this frame may need a destructor: the longjmp() lands
// here.
template <class F>
[[gnu::noinline]] bool run_catching_bailout(F&& body) noexcept {
  volatile bool completed = true;
  zend_try { body(); }
  zend_catch { completed = false; }
  zend_end_try();
  return completed;
}

}  // namespace trueasync::php::engine
