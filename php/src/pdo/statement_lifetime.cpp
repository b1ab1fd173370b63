#include "pdo/statement_lifetime.hpp"

#include "engine/blocking_calls.hpp"
#include "engine/exclusive_access.hpp"
#include "engine/runtime.hpp"
#include "pdo/connection.hpp"

namespace trueasync::php::pdo {

namespace {

// PDO's, while ours are in their place.
zend_class_entry* statement_class = nullptr;
zend_object_iterator* (*get_iterator_next)(zend_class_entry* entry, zval* object, int by_reference) = nullptr;
const zend_object_iterator_funcs* functions_next = nullptr;
zend_object_iterator_funcs functions;
zend_object_handlers* handlers = nullptr;
zend_object_dtor_obj_t destroy_next = nullptr;
zend_object_free_obj_t free_next = nullptr;

pdo_dbh_t* connection_of(zend_object* statement) noexcept { return php_pdo_stmt_fetch_object(statement)->dbh; }

void move_forward(zend_object_iterator* iterator) {
  engine::ExclusiveAccess alone;
  if (!alone.enter(connection_of(Z_OBJ(iterator->data)))) return;
  functions_next->move_forward(iterator);
  alone.leave();
}

zend_object_iterator* get_iterator(zend_class_entry* entry, zval* object, int by_reference) {
  engine::ExclusiveAccess alone;
  if (!alone.enter(connection_of(Z_OBJ_P(object)))) return nullptr;
  zend_object_iterator* made = get_iterator_next(entry, object, by_reference);
  alone.leave();
  if (!made) return nullptr;
  if (!functions_next) {
    functions_next = made->funcs;
    functions = *functions_next;
    functions.move_forward = &move_forward;
  }
  if (made->funcs == functions_next) made->funcs = &functions;
  return made;
}

void destroy(zend_object* statement) {
  destroy_next(statement);
  const void* connection = connection_of(statement);
  const CoroutineObject* user = connection && engine::scheduler ? engine::ExclusiveUse::of(connection) : nullptr;
  if (!user || user == engine::current()) return;
  GC_ADDREF(statement);
  engine::release_when_unused(connection, statement);
}

void free_statement(zend_object* statement) {
  const pdo_dbh_t* connection = connection_of(statement);
  if (!connection || Connection::of(connection)) return free_next(statement);
  const engine::NoSuspendScope stay;
  free_next(statement);
}

}  // namespace

void hook_statement_iteration(zend_class_entry* statements) noexcept {
  statement_class = statements;
  get_iterator_next = statements->get_iterator;
  if (get_iterator_next) statements->get_iterator = &get_iterator;
}

void hook_statement_free(const zval* returned) noexcept {
  if (handlers || Z_TYPE_P(returned) != IS_OBJECT) return;
  if (!statement_class || !instanceof_function(Z_OBJCE_P(returned), statement_class)) return;
  // One table for all of them, which PDO fills when it starts.
  handlers = const_cast<zend_object_handlers*>(Z_OBJ_P(returned)->handlers);
  destroy_next = std::exchange(handlers->dtor_obj, &destroy);
  free_next = std::exchange(handlers->free_obj, &free_statement);
}

void unwatch_statements() noexcept {
  if (handlers) {
    handlers->dtor_obj = destroy_next;
    handlers->free_obj = free_next;
    handlers = nullptr;
  }
  if (statement_class && get_iterator_next) statement_class->get_iterator = get_iterator_next;
  statement_class = nullptr;
}

}  // namespace trueasync::php::pdo
