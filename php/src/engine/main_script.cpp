#include "engine/main_script.hpp"

#include <cstring>
#include <utility>

#include "engine/runtime.hpp"

namespace trueasync::php::engine {

namespace {

using Compile = zend_op_array* (*)(zend_file_handle* file, int type);

constexpr char kFunctionName[] = "async\\run_main_script";

TRUEASYNC_PHP_LOCAL Compile compile_next = nullptr;
TRUEASYNC_PHP_LOCAL zend_op_array* script = nullptr;
TRUEASYNC_PHP_LOCAL zend_internal_function function;

// Permanent, like the function names of a module: the engine must not free it with a request.
zend_string* function_name() noexcept {
  static zend_string* const name = [] {
    zend_string* created = zend_string_init(kFunctionName, sizeof(kFunctionName) - 1, true);
    zend_string_hash_val(created);
    GC_ADD_FLAGS(created, IS_STR_INTERNED | IS_STR_PERMANENT);
    return created;
  }();
  return name;
}

void run_script(zend_execute_data* execute_data, zval* return_value) {
  zend_op_array* main_script = std::exchange(script, nullptr);
  if (!main_script) return;
  zend_hash_del(EG(function_table), function_name());
  // Without a calling frame, the script uses global variables and traces end with {main}.
  EG(current_execute_data) = nullptr;
  zend_execute(main_script, return_value);
  zend_exception_restore();
  zend_destroy_static_vars(main_script);
  destroy_op_array(main_script);
  efree_size(main_script, sizeof(zend_op_array));
  zend_object* exception = std::exchange(EG(exception), nullptr);
  EG(current_execute_data) = execute_data;
  end_main(exception);
}

// The function is removed from the table when it is called, so the script does not see it.
zend_op_array* compile_call(const char* file_name) {
  std::memset(&function, 0, sizeof(function));
  function.type = ZEND_INTERNAL_FUNCTION;
  function.fn_flags = ZEND_ACC_ARENA_ALLOCATED;
  function.handler = &run_script;
  function.function_name = function_name();
  zend_string* source = zend_string_init("return \\Async\\run_main_script();", 32, false);
  const uint32_t options = CG(compiler_options);
  CG(compiler_options) &= ~static_cast<uint32_t>(ZEND_COMPILE_IGNORE_INTERNAL_FUNCTIONS);
  zend_hash_add_ptr(CG(function_table), function.function_name, &function);
  zend_op_array* compiled = zend_compile_string(source, file_name, ZEND_COMPILE_POSITION_AFTER_OPEN_TAG);
  CG(compiler_options) = options;
  zend_string_release(source);
  return compiled;
}

bool is_named(const zend_file_handle& file, const char* setting) noexcept {
  return setting && file.filename && std::strcmp(ZSTR_VAL(file.filename), setting) == 0;
}

// FPM and the router of the built-in server do not set primary_script. The main script is then a file that the engine
// runs and that is not an auto_prepend_file or auto_append_file.
bool is_main(const zend_file_handle& file) noexcept {
  return file.primary_script || (!is_named(file, PG(auto_prepend_file)) && !is_named(file, PG(auto_append_file)));
}

zend_op_array* compile(zend_file_handle* file, int type) {
  zend_op_array* compiled = compile_next(file, type);
  if (!compiled || script || EG(current_execute_data) || !is_main(*file)) return compiled;
  zend_op_array* call = compile_call(ZSTR_VAL(compiled->filename));
  if (!call) return compiled;
  script = compiled;
  return call;
}

}  // namespace

void hook_main_script() noexcept {
  script = nullptr;
  if (zend_compile_file == &compile) return;
  compile_next = zend_compile_file;
  zend_compile_file = &compile;
}

void unhook_main_script() noexcept {
  if (zend_compile_file == &compile) zend_compile_file = compile_next;
}

}  // namespace trueasync::php::engine
