// Functions of PHP's own with one of ours around them. Their copies have it, too: in classes that inherit them later, in
// closures made of them.
//
// Threads: the engine's, while no function runs that is not wrapped yet.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::engine {

// Calls the original, or not, in the same frame.
using Wrapper = void (*)(zif_handler original, INTERNAL_FUNCTION_PARAMETERS);

// The module starts: a place in the engine's functions is ours from now on.
void reserve_function_slot() noexcept;
// One that is wrapped already stays as it is.
void wrap(zend_internal_function& function, Wrapper wrapper);
// All that have a name; null: nothing of PHP's own.
zend_internal_function* internal_function(zend_function* function) noexcept;
// The module is unloaded.
void unwrap_all() noexcept;

}  // namespace trueasync::php::engine
