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
  // As for destructors of PHP: the exception in flight becomes the previous one of an exception thrown here.
  zend_object* in_flight = EG(exception);
  const zend_op* opline = EG(opline_before_exception);
  EG(exception) = nullptr;
  handlers_of(object).on_destruct(object);
  if (!in_flight) return;
  EG(opline_before_exception) = opline;
  if (EG(exception)) {
    zend_exception_set_previous(EG(exception), in_flight);
  } else {
    EG(exception) = in_flight;
  }
}

HashTable* report_object(zend_object* object, zval** table, int* count) {
  GcBuffer buffer;
  handlers_of(object).report(object, buffer);
  zend_get_gc_buffer_use(buffer.raw(), table, count);
  return object->properties ? object->properties : nullptr;
}

zend_function* reject_constructor(zend_object* object) {
  zend_throw_error(nullptr, "Cannot directly construct %s, use the functions and methods of Async",
                   ZSTR_VAL(object->ce->name));
  return nullptr;
}

// Without properties, the standard comparison would treat all objects of a class as equal.
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
  if (!is_constructible) handlers.engine.get_constructor = &reject_constructor;
  handlers.is_completable = handlers.source && instanceof_function(entry, interfaces.completable);
}

}  // namespace trueasync::php
