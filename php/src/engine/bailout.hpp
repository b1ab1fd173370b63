// PHP code at the bottom of a stack, or between frames of the library: a fatal error ends here.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::engine {

// Runs it; false: a fatal error has ended it. The only frame that can jump to; nothing in it may need a destructor.
template <class F>
[[gnu::noinline]] bool run_catching_bailout(F&& body) noexcept {
  volatile bool is_well = true;
  zend_try { body(); }
  zend_catch { is_well = false; }
  zend_end_try();
  return is_well;
}

}  // namespace trueasync::php::engine
