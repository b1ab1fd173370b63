#include "pdo/guards.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/exclusive_access.hpp"
#include "pdo/pooled_pdo.hpp"
#include "pdo/statement_lifetime.hpp"

namespace trueasync::php::pdo {

namespace {

using namespace std::string_view_literals;

// Methods that only read local state and send nothing to the server.
bool is_local_method(std::string_view method) noexcept {
  constexpr std::array kLocalMethods{"columncount"sv, "debugdumpparams"sv, "errorcode"sv,
                                     "errorinfo"sv,   "getpool"sv,         "intransaction"sv,
                                     "quote"sv,       "rowcount"sv,        "setfetchmode"sv};
  return std::find(kLocalMethods.begin(), kLocalMethods.end(), method) != kLocalMethods.end();
}

// The key is the database handle, because persistent PDO objects share it. A pooled object needs no guard: each coroutine
// has its own connection.
void use_connection(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  zend_object* self = Z_OBJ(EX(This));
  engine::call_exclusively(PooledPdo::of(self) ? nullptr : php_pdo_dbh_fetch_inner(self), original,
                           INTERNAL_FUNCTION_PARAM_PASSTHRU);
  hook_statement_free(return_value);
}

void use_connection_of_statement(zif_handler original, INTERNAL_FUNCTION_PARAMETERS) {
  engine::call_exclusively(php_pdo_stmt_fetch_object(Z_OBJ(EX(This)))->dbh, original, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void guard_class(zend_class_entry* entry, engine::Wrapper wrapper) {
  zend_string* name;
  void* item;
  ZEND_HASH_FOREACH_STR_KEY_PTR(&entry->function_table, name, item) {
    auto* method = engine::internal_function(static_cast<zend_function*>(item));
    if (method && !(method->fn_flags & ZEND_ACC_STATIC) && !is_local_method(ZSTR_VAL(name)))
      engine::wrap(*method, wrapper);
  }
  ZEND_HASH_FOREACH_END();
}

}  // namespace

void guard_connections(zend_class_entry* entry) noexcept { guard_class(entry, &use_connection); }

void guard_statements() noexcept {
  void* found = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdostatement"));
  if (!found) return;
  guard_class(static_cast<zend_class_entry*>(found), &use_connection_of_statement);
  hook_statement_iteration(static_cast<zend_class_entry*>(found));
}

}  // namespace trueasync::php::pdo
