// Every function of Async, as the module registers them.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php {

const zend_function_entry* function_table();

}  // namespace trueasync::php
