#include "exceptions.hpp"

#include "generated/exceptions_arginfo.h"

namespace trueasync::php {

namespace {

constexpr char kExceptions[] = "exceptions";

}  // namespace

void register_exceptions() {
  exceptions.deadlock = register_class_Async_DeadlockError(zend_ce_error);
  exceptions.async = register_class_Async_AsyncException(zend_ce_exception);
  exceptions.service_unavailable = register_class_Async_ServiceUnavailableException(exceptions.async);
  exceptions.channel = register_class_Async_ChannelException(exceptions.async);
  exceptions.pool = register_class_Async_PoolException(exceptions.async);
  exceptions.context = register_class_Async_ContextException(exceptions.async);
  exceptions.input_output = register_class_Async_InputOutputException(zend_ce_exception);
  exceptions.dns = register_class_Async_DnsException(zend_ce_exception);
  exceptions.timeout = register_class_Async_TimeoutException(zend_ce_exception);
  exceptions.poll = register_class_Async_PollException(zend_ce_exception);
  exceptions.composite = register_class_Async_CompositeException(zend_ce_exception);
  zval empty;
  ZVAL_EMPTY_ARRAY(&empty);
  zend_string* name = zend_string_init_interned(kExceptions, sizeof(kExceptions) - 1, true);
  zend_declare_typed_property(exceptions.composite, name, &empty, ZEND_ACC_PRIVATE, nullptr,
                              ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
}

}  // namespace trueasync::php

using trueasync::php::exceptions;
using trueasync::php::kExceptions;

ZEND_METHOD(Async_CompositeException, addException) {
  zval* exception;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJECT_OF_CLASS(exception, zend_ce_throwable)
  ZEND_PARSE_PARAMETERS_END();
  zval unused;
  zval* list =
      zend_read_property(exceptions.composite, Z_OBJ_P(ZEND_THIS), kExceptions, sizeof(kExceptions) - 1, true, &unused);
  zval extended;
  ZVAL_ARR(&extended, zend_array_dup(Z_ARR_P(list)));
  Z_ADDREF_P(exception);
  add_next_index_zval(&extended, exception);
  zend_update_property(exceptions.composite, Z_OBJ_P(ZEND_THIS), kExceptions, sizeof(kExceptions) - 1, &extended);
  zval_ptr_dtor(&extended);
}

ZEND_METHOD(Async_CompositeException, getExceptions) {
  ZEND_PARSE_PARAMETERS_NONE();
  zval unused;
  zval* list =
      zend_read_property(exceptions.composite, Z_OBJ_P(ZEND_THIS), kExceptions, sizeof(kExceptions) - 1, true, &unused);
  RETURN_COPY(list);
}
