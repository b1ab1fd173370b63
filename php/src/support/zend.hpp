// The engine's headers, in one place: their macros want to be met in this order.
#pragma once

// Before the engine's: those redefine vsnprintf and its like.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "php.h"
#include "zend_builtin_functions.h"
#include "zend_closures.h"
#include "zend_enum.h"
#include "zend_exceptions.h"
#include "zend_fibers.h"
#include "zend_interfaces.h"
}

// The engine's state is per thread where PHP is thread-safe, per process otherwise.
#ifdef ZTS
#define TRUEASYNC_PHP_LOCAL thread_local
#else
#define TRUEASYNC_PHP_LOCAL
#endif
