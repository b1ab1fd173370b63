#include <vector>

#include "registration.hpp"

// Each generated header defines a table `ext_functions`; the macro gives each table a distinct name.
#define ext_functions await_functions
#include "generated/functions_await_arginfo.h"
#undef ext_functions
#define ext_functions context_functions
#include "generated/functions_context_arginfo.h"
#undef ext_functions
#define ext_functions coroutine_functions
#include "generated/functions_coroutine_arginfo.h"
#undef ext_functions
#define ext_functions iterate_functions
#include "generated/functions_iterate_arginfo.h"
#undef ext_functions
#define ext_functions process_functions
#include "generated/functions_process_arginfo.h"
#undef ext_functions
#define ext_functions system_functions
#include "generated/functions_system_arginfo.h"
#undef ext_functions
#define ext_functions thread_functions
#include "generated/functions_thread_arginfo.h"
#undef ext_functions
#define ext_functions time_functions
#include "generated/functions_time_arginfo.h"
#undef ext_functions

namespace trueasync::php {

const zend_function_entry* function_table() {
  static const std::vector<zend_function_entry> all = [] {
    std::vector<zend_function_entry> table;
    for (const zend_function_entry* topic : {await_functions, context_functions, coroutine_functions, iterate_functions,
                                             process_functions, system_functions, thread_functions, time_functions}) {
      for (; topic->fname; ++topic) table.push_back(*topic);
    }
    table.push_back({});
    return table;
  }();
  return all.data();
}

}  // namespace trueasync::php
