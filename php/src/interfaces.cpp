#include "interfaces.hpp"

#include "generated/interfaces_arginfo.h"

namespace trueasync::php {

namespace {

// An Awaitable needs an event of the runtime, which a class written in PHP cannot have.
int reject_user_class(zend_class_entry* interface, zend_class_entry* implementor) {
  if (implementor->type == ZEND_INTERNAL_CLASS) return SUCCESS;
  zend_error_noreturn(E_ERROR, "Class %s cannot implement interface %s; use Async\\Future with Async\\FutureState",
                      ZSTR_VAL(implementor->name), ZSTR_VAL(interface->name));
}

}  // namespace

void register_interfaces() {
  interfaces.awaitable = register_class_Async_Awaitable();
  interfaces.completable = register_class_Async_Completable(interfaces.awaitable);
  interfaces.awaitable->interface_gets_implemented = &reject_user_class;
  interfaces.completable->interface_gets_implemented = &reject_user_class;
  interfaces.scope_provider = register_class_Async_ScopeProvider();
  interfaces.spawn_strategy = register_class_Async_SpawnStrategy(interfaces.scope_provider);
}

}  // namespace trueasync::php
