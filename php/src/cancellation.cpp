// \Cancellation: a third root of Throwable, so that `catch (Exception)` and `catch (Error)` do not catch it.
//
// The engine requires that every class that implements Throwable derives from Exception or Error. It reads the
// properties of a throwable in the scope of one of these classes. check_root() also accepts \Cancellation, and the
// property handlers replace the scope of Error by that of \Cancellation.
#include <cstring>

#include "exceptions.hpp"
#include "generated/cancellation_arginfo.h"

namespace trueasync::php {

namespace {

int (*engine_check_root)(zend_class_entry* interface, zend_class_entry* implementor) = nullptr;
zend_object_handlers handlers;

int check_root(zend_class_entry* interface, zend_class_entry* implementor) {
  const zend_class_entry* root = implementor;
  while (root->parent) root = root->parent;
  if (root == exceptions.cancellation || zend_string_equals_literal(root->name, "Cancellation")) return SUCCESS;
  return engine_check_root(interface, implementor);
}

// Replaces the scope of Error or Exception by that of \Cancellation during one property access.
class CancellationScope {
 public:
  CancellationScope() noexcept : previous_(EG(fake_scope)) {
    if (previous_ == zend_ce_error || previous_ == zend_ce_exception) EG(fake_scope) = exceptions.cancellation;
  }
  ~CancellationScope() { EG(fake_scope) = previous_; }
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

 private:
  zend_class_entry* previous_;
};

zval* read_property(zend_object* object, zend_string* name, int type, void** slot, zval* result) {
  const CancellationScope scope;
  return zend_std_read_property(object, name, type, EG(fake_scope) ? nullptr : slot, result);
}

zval* write_property(zend_object* object, zend_string* name, zval* value, void** slot) {
  const CancellationScope scope;
  return zend_std_write_property(object, name, value, EG(fake_scope) ? nullptr : slot);
}

void set_property(zend_object* object, const char* name, zval* value) {
  zend_update_property(exceptions.cancellation, object, name, std::strlen(name), value);
  zval_ptr_dtor(value);
}

zend_object* create(zend_class_entry* entry) {
  zend_object* object = zend_objects_new(entry);
  object_properties_init(object, entry);
  object->handlers = &handlers;
  zval value;
  if (EG(current_execute_data)) {
    zend_fetch_debug_backtrace(&value, 0, EG(exception_ignore_args) ? DEBUG_BACKTRACE_IGNORE_ARGS : 0, 0);
  } else {
    array_init(&value);
  }
  set_property(object, "trace", &value);
  ZVAL_STRING(&value, zend_get_executed_filename());
  set_property(object, "file", &value);
  ZVAL_LONG(&value, zend_get_executed_lineno());
  set_property(object, "line", &value);
  return object;
}

// Calls a method of Error. It reads the properties through the handlers above.
void call_error_method(const char* name, INTERNAL_FUNCTION_PARAMETERS) {
  auto* function =
      static_cast<zend_function*>(zend_hash_str_find_ptr(&zend_ce_error->function_table, name, std::strlen(name)));
  function->internal_function.handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

}  // namespace

void register_cancellation() {
  engine_check_root = zend_ce_throwable->interface_gets_implemented;
  zend_ce_throwable->interface_gets_implemented = &check_root;
  handlers = *zend_get_std_object_handlers();
  handlers.clone_obj = nullptr;
  handlers.read_property = &read_property;
  handlers.write_property = &write_property;
  exceptions.cancellation = register_class_Cancellation(zend_ce_throwable);
  exceptions.cancellation->create_object = &create;
  exceptions.async_cancellation = register_class_Async_AsyncCancellation(exceptions.cancellation);
  exceptions.operation_canceled = register_class_Async_OperationCanceledException(exceptions.async_cancellation);
}

void unregister_cancellation() { zend_ce_throwable->interface_gets_implemented = engine_check_root; }

}  // namespace trueasync::php

using trueasync::php::call_error_method;

ZEND_METHOD(Cancellation, __construct) { call_error_method("__construct", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Cancellation, getMessage) { call_error_method("getmessage", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Cancellation, getCode) { call_error_method("getcode", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Cancellation, getFile) { call_error_method("getfile", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Cancellation, getLine) { call_error_method("getline", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Cancellation, getTrace) { call_error_method("gettrace", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Cancellation, getPrevious) { call_error_method("getprevious", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Cancellation, getTraceAsString) { call_error_method("gettraceasstring", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
ZEND_METHOD(Cancellation, __toString) { call_error_method("__tostring", INTERNAL_FUNCTION_PARAM_PASSTHRU); }
