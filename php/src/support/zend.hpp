// The headers of the Zend engine, in the order that their macros need.
#pragma once

// Before the engine's headers, which define vsnprintf and similar names as macros.
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
