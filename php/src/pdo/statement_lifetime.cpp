#include "pdo/statement_lifetime.hpp"

#include "engine/blocking_calls.hpp"
#include "engine/exclusive_access.hpp"
#include "engine/runtime.hpp"
#include "pdo/connection.hpp"

namespace trueasync::php::pdo {

namespace {

// PDO's functions while the hooks are installed.
zend_class_entry* statement_class = nullptr;
zend_object_iterator* (*pdo_get_iterator)(zend_class_entry* entry, zval* object, int by_reference) = nullptr;
const zend_object_iterator_funcs* pdo_iterator_functions = nullptr;
zend_object_iterator_funcs hooked_functions;  // filled from PDO's at the first iteration
zend_object_handlers* handlers = nullptr;     // PDO's table for statements; null: not hooked yet
zend_object_dtor_obj_t pdo_dtor_obj = nullptr;
zend_object_free_obj_t pdo_free_obj = nullptr;

pdo_dbh_t* connection_of(zend_object* statement) noexcept { return php_pdo_stmt_fetch_object(statement)->dbh; }

void move_forward(zend_object_iterator* iterator) {
  engine::ExclusiveAccess access;
  if (!access.enter(connection_of(Z_OBJ(iterator->data)))) return;
  pdo_iterator_functions->move_forward(iterator);
  access.leave();
}

zend_object_iterator* get_iterator(zend_class_entry* entry, zval* object, int by_reference) {
  engine::ExclusiveAccess access;
  if (!access.enter(connection_of(Z_OBJ_P(object)))) return nullptr;
  zend_object_iterator* iterator = pdo_get_iterator(entry, object, by_reference);
  access.leave();
  if (!iterator) return nullptr;
  if (!pdo_iterator_functions) {
    pdo_iterator_functions = iterator->funcs;
    hooked_functions = *pdo_iterator_functions;
    hooked_functions.move_forward = &move_forward;
  }
  if (iterator->funcs == pdo_iterator_functions) iterator->funcs = &hooked_functions;
  return iterator;
}

void destroy(zend_object* statement) {
  pdo_dtor_obj(statement);
  const void* connection = connection_of(statement);
  const CoroutineObject* user = connection && engine::scheduler ? engine::ExclusiveUse::of(connection) : nullptr;
  if (!user || user == engine::current()) return;
  GC_ADDREF(statement);
  engine::release_when_unused(connection, statement);
}

void free_statement(zend_object* statement) {
  const pdo_dbh_t* connection = connection_of(statement);
  if (!connection || Connection::of(connection)) return pdo_free_obj(statement);
  const engine::NoSuspendScope no_suspend;
  pdo_free_obj(statement);
}

}  // namespace

void hook_statement_iteration(zend_class_entry* statements) noexcept {
  statement_class = statements;
  pdo_get_iterator = statements->get_iterator;
  if (pdo_get_iterator) statements->get_iterator = &get_iterator;
}

void hook_statement_free(const zval* returned) noexcept {
  if (handlers || Z_TYPE_P(returned) != IS_OBJECT) return;
  if (!statement_class || !instanceof_function(Z_OBJCE_P(returned), statement_class)) return;
  // PDO uses one writable table for all statements.
  handlers = const_cast<zend_object_handlers*>(Z_OBJ_P(returned)->handlers);
  pdo_dtor_obj = std::exchange(handlers->dtor_obj, &destroy);
  pdo_free_obj = std::exchange(handlers->free_obj, &free_statement);
}

void unhook_statements() noexcept {
  if (handlers) {
    handlers->dtor_obj = pdo_dtor_obj;
    handlers->free_obj = pdo_free_obj;
    handlers = nullptr;
  }
  if (statement_class && pdo_get_iterator) statement_class->get_iterator = pdo_get_iterator;
  statement_class = nullptr;
}

}  // namespace trueasync::php::pdo
