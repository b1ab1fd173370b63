#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "engine/exclusive_access.hpp"
#include "engine/function_guards.hpp"
#include "engine/runtime.hpp"
#include "trueasync/blocking.hpp"

namespace trueasync::php::engine {

namespace {

using namespace std::string_view_literals;

// Classes whose objects own a connection that their methods use.
constexpr std::array kClasses{"mysqli"sv,     "mysqli_result"sv, "mysqli_stmt"sv,   "redis"sv,
                              "redisarray"sv, "rediscluster"sv,  "redissentinel"sv, "soapclient"sv};
// Modules whose functions take the connection or handle as the first argument.
constexpr std::array kModules{"curl"sv, "mysqli"sv, "pgsql"sv};

// Functions that only read local state and never use the connection.
constexpr std::array kUnguarded{
    "curl_errno"sv,
    "curl_error"sv,
    "curl_getinfo"sv,
    "curl_multi_select"sv,
    "escape_string"sv,
    "mysqli_errno"sv,
    "mysqli_error"sv,
    "mysqli_escape_string"sv,
    "mysqli_real_escape_string"sv,
    "mysqli_thread_id"sv,
    "pg_client_encoding"sv,
    "pg_connection_status"sv,
    "pg_dbname"sv,
    "pg_escape_bytea"sv,
    "pg_escape_identifier"sv,
    "pg_escape_literal"sv,
    "pg_escape_string"sv,
    "pg_get_pid"sv,
    "pg_host"sv,
    "pg_last_error"sv,
    "pg_options"sv,
    "pg_parameter_status"sv,
    "pg_port"sv,
    "pg_socket"sv,
    "pg_transaction_status"sv,
    "pg_version"sv,
    "real_escape_string"sv,
};

void call_method(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  call_exclusively(Z_OBJ(EX(This)), original, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// The key of exclusive access. Persistent PgSql\Connection objects share one PGconn, which is their first member.
const void* connection_key(zend_object* object) noexcept {
  if (!zend_string_equals_literal(object->ce->name, "PgSql\\Connection")) return object;
  const void* connection = nullptr;
  std::memcpy(&connection, reinterpret_cast<char*>(object) - object->handlers->offset, sizeof connection);
  return connection ? connection : object;
}

void call_function(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  const zval* first = ZEND_NUM_ARGS() ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
  const bool is_connection = first && Z_TYPE_P(first) == IS_OBJECT;
  call_exclusively(is_connection ? connection_key(Z_OBJ_P(first)) : nullptr, original,
                   INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

// curl_multi_exec() never waits. A program that calls it in a loop must still let other coroutines run.
void call_curl_multi_exec(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  call_function(original, INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (current()) blocking::yield_if_owed();
}

template <class List, class T>
bool contains(const List& list, const T& value) noexcept {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void guard_methods(zend_class_entry& entry) {
  zend_string* name;
  void* item;
  ZEND_HASH_FOREACH_STR_KEY_PTR(&entry.function_table, name, item) {
    zend_internal_function* method = internal_function(static_cast<zend_function*>(item));
    const bool is_instance_method = method && !(method->fn_flags & (ZEND_ACC_STATIC | ZEND_ACC_ABSTRACT));
    if (is_instance_method && !contains(kUnguarded, std::string_view(ZSTR_VAL(name)))) wrap(*method, &call_method);
  }
  ZEND_HASH_FOREACH_END();
}

}  // namespace

void guard_connections() {
  for (const std::string_view name : kClasses) {
    void* found = zend_hash_str_find_ptr(CG(class_table), name.data(), name.size());
    auto* entry = static_cast<zend_class_entry*>(found);
    if (entry && entry->type == ZEND_INTERNAL_CLASS) guard_methods(*entry);
  }
  std::array<const void*, kModules.size()> modules;
  for (std::size_t i = 0; i < kModules.size(); ++i) {
    modules[i] = zend_hash_str_find_ptr(&module_registry, kModules[i].data(), kModules[i].size());
  }
  zend_string* name;
  void* item;
  ZEND_HASH_FOREACH_STR_KEY_PTR(CG(function_table), name, item) {
    zend_internal_function* function = internal_function(static_cast<zend_function*>(item));
    const bool is_guarded = function && function->module && contains(modules, function->module);
    if (!is_guarded || contains(kUnguarded, std::string_view(ZSTR_VAL(name)))) continue;
    wrap(*function, zend_string_equals_literal(name, "curl_multi_exec") ? &call_curl_multi_exec : &call_function);
  }
  ZEND_HASH_FOREACH_END();
}

}  // namespace trueasync::php::engine
