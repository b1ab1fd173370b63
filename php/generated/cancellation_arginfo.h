/* Made by php/tools/generate.php from php/stubs; change the stubs, not this file. */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Cancellation___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, message, IS_STRING, 0, "\"\"")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, code, IS_LONG, 0, "0")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, previous, Throwable, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Cancellation_getMessage, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Cancellation_getCode, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Cancellation_getFile, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Cancellation_getLine, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Cancellation_getTrace, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Cancellation_getPrevious, 0, 0, Throwable, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Cancellation_getTraceAsString, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Cancellation___toString, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_METHOD(Cancellation, __construct);
ZEND_METHOD(Cancellation, getMessage);
ZEND_METHOD(Cancellation, getCode);
ZEND_METHOD(Cancellation, getFile);
ZEND_METHOD(Cancellation, getLine);
ZEND_METHOD(Cancellation, getTrace);
ZEND_METHOD(Cancellation, getPrevious);
ZEND_METHOD(Cancellation, getTraceAsString);
ZEND_METHOD(Cancellation, __toString);

static const zend_function_entry class_Cancellation_methods[] = {
	ZEND_ME(Cancellation, __construct, arginfo_class_Cancellation___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Cancellation, getMessage, arginfo_class_Cancellation_getMessage, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Cancellation, getCode, arginfo_class_Cancellation_getCode, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Cancellation, getFile, arginfo_class_Cancellation_getFile, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Cancellation, getLine, arginfo_class_Cancellation_getLine, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Cancellation, getTrace, arginfo_class_Cancellation_getTrace, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Cancellation, getPrevious, arginfo_class_Cancellation_getPrevious, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Cancellation, getTraceAsString, arginfo_class_Cancellation_getTraceAsString, ZEND_ACC_PUBLIC|ZEND_ACC_FINAL)
	ZEND_ME(Cancellation, __toString, arginfo_class_Cancellation___toString, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static const zend_function_entry class_Async_AsyncCancellation_methods[] = {
	ZEND_FE_END
};

static const zend_function_entry class_Async_OperationCanceledException_methods[] = {
	ZEND_FE_END
};

static inline zend_class_entry *register_class_Cancellation(zend_class_entry *class_entry_Throwable)
{
	zend_class_entry ce, *class_entry;
	INIT_CLASS_ENTRY(ce, "Cancellation", class_Cancellation_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	zend_class_implements(class_entry, 1, class_entry_Throwable);

	zval default_message;
	ZVAL_EMPTY_STRING(&default_message);
	zend_string *name_message = zend_string_init("message", sizeof("message") - 1, 1);
	zend_declare_property_ex(class_entry, name_message, &default_message, ZEND_ACC_PROTECTED, NULL);
	zend_string_release(name_message);

	zval default_string;
	ZVAL_EMPTY_STRING(&default_string);
	zend_string *name_string = zend_string_init("string", sizeof("string") - 1, 1);
	zend_type type_string = ZEND_TYPE_INIT_MASK(MAY_BE_STRING);
	zend_declare_typed_property(class_entry, name_string, &default_string, ZEND_ACC_PRIVATE, NULL, type_string);
	zend_string_release(name_string);

	zval default_code;
	ZVAL_LONG(&default_code, 0);
	zend_string *name_code = zend_string_init("code", sizeof("code") - 1, 1);
	zend_declare_property_ex(class_entry, name_code, &default_code, ZEND_ACC_PROTECTED, NULL);
	zend_string_release(name_code);

	zval default_file;
	ZVAL_EMPTY_STRING(&default_file);
	zend_string *name_file = zend_string_init("file", sizeof("file") - 1, 1);
	zend_type type_file = ZEND_TYPE_INIT_MASK(MAY_BE_STRING);
	zend_declare_typed_property(class_entry, name_file, &default_file, ZEND_ACC_PROTECTED, NULL, type_file);
	zend_string_release(name_file);

	zval default_line;
	ZVAL_LONG(&default_line, 0);
	zend_string *name_line = zend_string_init("line", sizeof("line") - 1, 1);
	zend_type type_line = ZEND_TYPE_INIT_MASK(MAY_BE_LONG);
	zend_declare_typed_property(class_entry, name_line, &default_line, ZEND_ACC_PROTECTED, NULL, type_line);
	zend_string_release(name_line);

	zval default_trace;
	ZVAL_EMPTY_ARRAY(&default_trace);
	zend_string *name_trace = zend_string_init("trace", sizeof("trace") - 1, 1);
	zend_type type_trace = ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY);
	zend_declare_typed_property(class_entry, name_trace, &default_trace, ZEND_ACC_PRIVATE, NULL, type_trace);
	zend_string_release(name_trace);

	zval default_previous;
	ZVAL_NULL(&default_previous);
	zend_string *name_previous = zend_string_init("previous", sizeof("previous") - 1, 1);
	zend_type type_previous = ZEND_TYPE_INIT_CLASS(zend_string_init("Throwable", sizeof("Throwable") - 1, 1), 1, 0);
	zend_declare_typed_property(class_entry, name_previous, &default_previous, ZEND_ACC_PRIVATE, NULL, type_previous);
	zend_string_release(name_previous);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_AsyncCancellation(zend_class_entry *class_entry_Cancellation)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "AsyncCancellation", class_Async_AsyncCancellation_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Cancellation);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_OperationCanceledException(zend_class_entry *class_entry_Async_AsyncCancellation)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "OperationCanceledException", class_Async_OperationCanceledException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Async_AsyncCancellation);
	return class_entry;
}
