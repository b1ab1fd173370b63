// Registration of the classes that only module.cpp refers to, and the table of all functions. Each function is defined
// in the source file of its class; other classes declare theirs in their own headers.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php {

void register_signal();
void register_task_group();
void register_task_set();
void register_thread();  // Async\Thread, ThreadPool and ThreadChannel

// All functions of the namespace Async, terminated by an empty entry.
const zend_function_entry* function_table();

}  // namespace trueasync::php
