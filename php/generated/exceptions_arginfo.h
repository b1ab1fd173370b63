/* Made by php/tools/generate.php from php/stubs; change the stubs, not this file. */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_CompositeException_addException, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, exception, Throwable, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_CompositeException_getExceptions, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_METHOD(Async_CompositeException, addException);
ZEND_METHOD(Async_CompositeException, getExceptions);

static const zend_function_entry class_Async_DeadlockError_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_AsyncException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_ServiceUnavailableException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_ChannelException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_PoolException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_ContextException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_InputOutputException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_DnsException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_TimeoutException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_PollException_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_CompositeException_methods[] = {
	ZEND_ME(Async_CompositeException, addException, arginfo_class_Async_CompositeException_addException, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_CompositeException, getExceptions, arginfo_class_Async_CompositeException_getExceptions, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static inline zend_class_entry *register_class_Async_DeadlockError(zend_class_entry *class_entry_Error)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "DeadlockError", class_Async_DeadlockError_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Error);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_AsyncException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "AsyncException", class_Async_AsyncException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_ServiceUnavailableException(zend_class_entry *class_entry_Async_AsyncException)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "ServiceUnavailableException", class_Async_ServiceUnavailableException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_AsyncException);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_ChannelException(zend_class_entry *class_entry_Async_AsyncException)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "ChannelException", class_Async_ChannelException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_AsyncException);

	zval default_reason;
	ZVAL_UNDEF(&default_reason);
	zend_string *name_reason = zend_string_init("reason", sizeof("reason") - 1, 1);
	zend_type type_reason = ZEND_TYPE_INIT_CLASS(zend_string_init("Async\\ChannelCloseReason", sizeof("Async\\ChannelCloseReason") - 1, 1), 0, 0);
	zend_declare_typed_property(class_entry, name_reason, &default_reason, ZEND_ACC_PUBLIC, NULL, type_reason);
	zend_string_release(name_reason);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_PoolException(zend_class_entry *class_entry_Async_AsyncException)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "PoolException", class_Async_PoolException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_AsyncException);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_ContextException(zend_class_entry *class_entry_Async_AsyncException)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "ContextException", class_Async_ContextException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_AsyncException);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_InputOutputException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "InputOutputException", class_Async_InputOutputException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_DnsException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "DnsException", class_Async_DnsException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_TimeoutException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "TimeoutException", class_Async_TimeoutException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_PollException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "PollException", class_Async_PollException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_CompositeException(zend_class_entry *class_entry_Exception)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "CompositeException", class_Async_CompositeException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Exception);
	class_entry->ce_flags |= ZEND_ACC_FINAL;
	return class_entry;
}
