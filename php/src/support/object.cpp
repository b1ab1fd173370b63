#include "support/object.hpp"

#include "interfaces.hpp"

namespace trueasync::php {

namespace {

const Handlers& handlers_of(const zend_object* object) noexcept {
  return *reinterpret_cast<const Handlers*>(object->handlers);
}

}  // namespace

void free_object(zend_object* object) {
  handlers_of(object).destroy(object);
  zend_object_std_dtor(object);
}

void destruct_object(zend_object* object) {
  // As for any destructor: what is thrown here joins what is in flight already.
  zend_object* old = EG(exception);
  const zend_op* old_opline = EG(opline_before_exception);
  EG(exception) = nullptr;
  handlers_of(object).on_destruct(object);
  if (!old) return;
  EG(opline_before_exception) = old_opline;
  if (EG(exception)) {
    zend_exception_set_previous(EG(exception), old);
  } else {
    EG(exception) = old;
  }
}

HashTable* report_object(zend_object* object, zval** table, int* count) {
  GcBuffer buffer;
  handlers_of(object).report(object, buffer);
  zend_get_gc_buffer_use(buffer.raw(), table, count);
  return object->properties ? object->properties : nullptr;
}

zend_function* refuse_constructor(zend_object* object) {
  zend_throw_error(nullptr, "%s can't be constructed: it is made by the functions and methods of Async",
                   ZSTR_VAL(object->ce->name));
  return nullptr;
}

// One is like no other, though there are no properties to tell them apart by.
static int compare_objects(zval* first, zval* second) {
  ZEND_COMPARE_OBJECTS_FALLBACK(first, second);
  return ZEND_UNCOMPARABLE;
}

void setup_handlers(zend_class_entry* entry, Handlers& handlers, std::size_t offset, bool is_constructible) {
  entry->ce_flags |= ZEND_ACC_FINAL | ZEND_ACC_NOT_SERIALIZABLE | ZEND_ACC_NO_DYNAMIC_PROPERTIES;
  handlers.engine = *zend_get_std_object_handlers();
  handlers.engine.offset = static_cast<int>(offset);
  handlers.engine.free_obj = &free_object;
  handlers.engine.clone_obj = nullptr;
  if (entry->default_properties_count == 0) handlers.engine.compare = &compare_objects;
  if (handlers.report) handlers.engine.get_gc = &report_object;
  if (handlers.on_destruct) handlers.engine.dtor_obj = &destruct_object;
  if (!is_constructible) handlers.engine.get_constructor = &refuse_constructor;
  handlers.is_completable = handlers.source && instanceof_function(entry, interfaces.completable);
}

}  // namespace trueasync::php
