// Calling PHP code from ours.
#pragma once

#include <initializer_list>

#include "support/value.hpp"

namespace trueasync::php {

// Calls it; false: EG(exception) is set. `result` is undefined then, else the caller's.
bool call(zval* callable, std::initializer_list<zval> arguments, zval* result) noexcept;

}  // namespace trueasync::php
