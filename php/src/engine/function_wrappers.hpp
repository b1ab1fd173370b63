// Wrappers around internal functions of PHP. Copies of a wrapped function keep the wrapper: methods of classes that
// inherit it later, and closures created from it.
//
// Thread safety: the engine's thread; functions must be wrapped while they do not run.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php::engine {

// Runs instead of the original, in the same frame, and may call the original.
using Wrapper = void (*)(zif_handler original, INTERNAL_FUNCTION_PARAMETERS);

// At module start: reserves an element of zend_internal_function::reserved.
void reserve_function_slot() noexcept;
// No effect on a function that is wrapped already.
void wrap(zend_internal_function& function, Wrapper wrapper);
// Null for user functions.
zend_internal_function* internal_function(zend_function* function) noexcept;
// At module end.
void unwrap_all() noexcept;

}  // namespace trueasync::php::engine
