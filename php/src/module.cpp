// The module entry: registers classes, functions and settings, and starts and stops the module and each request.
#include "channel.hpp"
#include "circuit_breaker.hpp"
#include "context.hpp"
#include "coroutine.hpp"
#include "cpu_snapshot.hpp"
#include "engine/autoload.hpp"
#include "engine/blocking_calls.hpp"
#include "engine/error_handler.hpp"
#include "engine/function_guards.hpp"
#include "engine/function_wrappers.hpp"
#include "engine/gc.hpp"
#include "engine/main_script.hpp"
#include "engine/request_shutdown.hpp"
#include "engine/runtime.hpp"
#include "engine/stack_overflow.hpp"
#include "exceptions.hpp"
#include "filesystem_watcher.hpp"
#include "functions/await_many.hpp"
#include "future.hpp"
#include "interfaces.hpp"
#include "pool.hpp"
#include "registration.hpp"
#include "scope.hpp"
#include "timeout.hpp"

// Defined by the build, which leaves out src/pdo/ for a PHP without PDO.
#ifdef TRUEASYNC_PHP_PDO
#include "pdo/pdo.hpp"
#endif

extern "C" {
#include "ext/standard/info.h"
#include "php_ini.h"
}

namespace trueasync::php {

namespace {

PHP_INI_BEGIN()
// Whether a deadlock prints what each coroutine waits for.
PHP_INI_ENTRY("async.debug_deadlock", "1", PHP_INI_ALL, nullptr)
// Whether blocking calls suspend the coroutine.
PHP_INI_ENTRY("async.hook_blocking_calls", "1", PHP_INI_SYSTEM, nullptr)
// The size of a coroutine's native stack in bytes, with its guard page. It is address space: only touched pages use
// memory, and page tables take 2 KB for each MB.
PHP_INI_ENTRY("async.stack_size", "1M", PHP_INI_SYSTEM, nullptr)
// The maximum number of coroutines that have started and not finished; 0: unlimited.
PHP_INI_ENTRY("async.max_stacks", "0", PHP_INI_SYSTEM, nullptr)
// The number of idle stacks that keep their memory.
PHP_INI_ENTRY("async.warm_stacks", "16", PHP_INI_SYSTEM, nullptr)
PHP_INI_END()

zend_result start_module(INIT_FUNC_ARGS) {
  (void)type;
  REGISTER_INI_ENTRIES();
  engine::hook_interrupts();
  engine::reserve_function_slot();
  engine::hook_autoload();
  engine::hook_errors();
  engine::observe_errors();
  engine::hook_collector();
  engine::install_overflow_reporter();
  register_interfaces();
  register_cancellation();
  register_exceptions();
  register_coroutine();
  register_timeout();
  register_scope();
  register_context();
  register_future_state();
  register_future();
  register_channel_close_reason();
  register_channel();
  register_signal();
  register_task_group();
  register_task_set();
  register_circuit_breaker();
  register_pool();
  register_file_system_watcher();
  register_cpu_snapshot();
  register_thread();
#ifdef TRUEASYNC_PHP_PDO
  pdo::register_pool();
#endif
  return SUCCESS;
}

zend_result stop_module(SHUTDOWN_FUNC_ARGS) {
  (void)type;
  engine::unhook_blocking_calls();
  engine::unwrap_all();
  engine::unhook_errors();
  engine::unhook_autoload();
  engine::unhook_collector();
#ifdef TRUEASYNC_PHP_PDO
  pdo::unregister_pool();
#endif
  unregister_cancellation();
  UNREGISTER_INI_ENTRIES();
  return SUCCESS;
}

zend_result start_request(INIT_FUNC_ARGS) {
  (void)type;
  (void)module_number;
#if defined(ZTS) && defined(COMPILE_DL_TRUE_ASYNC)
  ZEND_TSRMLS_CACHE_UPDATE();
#endif
  engine::hook_guards();
  engine::hook_main_script();
  engine::hook_request_end();
  return SUCCESS;
}

zend_result stop_request(SHUTDOWN_FUNC_ARGS) {
  (void)type;
  (void)module_number;
  engine::unhook_main_script();
  engine::stop();
  engine::reset_error_handler();
  engine::reset_collection();
  delete_abandoned_awaits();
  return SUCCESS;
}

zend_result end_request() {
  engine::destroy_runtime();
  return SUCCESS;
}

void show_info(ZEND_MODULE_INFO_FUNC_ARGS) {
  (void)zend_module;
  php_info_print_table_start();
  php_info_print_table_row(2, "true_async", TRUEASYNC_VERSION);
#ifdef TRUEASYNC_PHP_PDO
  php_info_print_table_row(2, "PDO pools", "enabled");
#else
  php_info_print_table_row(2, "PDO pools", "disabled (PHP was built without PDO)");
#endif
  php_info_print_table_end();
  DISPLAY_INI_ENTRIES();
}

// PDO and its drivers must be loaded before this module if they are loaded: driver classes extend PDO.
const zend_module_dep module_dependencies[] = {ZEND_MOD_OPTIONAL("pdo") ZEND_MOD_OPTIONAL(
    "pdo_mysql") ZEND_MOD_OPTIONAL("pdo_pgsql") ZEND_MOD_OPTIONAL("pdo_sqlite") ZEND_MOD_END};

zend_module_entry module_entry = {STANDARD_MODULE_HEADER_EX,
                                  nullptr,
                                  module_dependencies,
                                  "true_async",
                                  nullptr,
                                  &start_module,
                                  &stop_module,
                                  &start_request,
                                  &stop_request,
                                  &show_info,
                                  TRUEASYNC_VERSION,
                                  0,
                                  nullptr,
                                  nullptr,
                                  nullptr,
                                  &end_request,
                                  STANDARD_MODULE_PROPERTIES_EX};

}  // namespace

}  // namespace trueasync::php

#ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
#endif

extern "C" ZEND_DLEXPORT zend_module_entry* get_module(void);
extern "C" ZEND_DLEXPORT zend_module_entry* get_module(void) {
  trueasync::php::module_entry.functions = trueasync::php::function_table();
  return &trueasync::php::module_entry;
}
