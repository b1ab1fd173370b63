/* Made by php/tools/generate.php from php/stubs; change the stubs, not this file. */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Async_FileSystemEvent___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Async_FileSystemWatcher___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, recursive, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, coalesce, _IS_BOOL, 0, "true")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, debounceMs, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxHoldMs, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, extensions, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_FileSystemWatcher_close, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Async_FileSystemWatcher_isClosed, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Async_FileSystemWatcher_getIterator, 0, 0, Iterator, 0)
ZEND_END_ARG_INFO()

ZEND_METHOD(Async_FileSystemEvent, __construct);
ZEND_METHOD(Async_FileSystemWatcher, __construct);
ZEND_METHOD(Async_FileSystemWatcher, close);
ZEND_METHOD(Async_FileSystemWatcher, isClosed);
ZEND_METHOD(Async_FileSystemWatcher, getIterator);

static const zend_function_entry class_Async_FileSystemEvent_methods[] = {
	ZEND_ME(Async_FileSystemEvent, __construct, arginfo_class_Async_FileSystemEvent___construct, ZEND_ACC_PRIVATE)
	ZEND_FE_END
};

static const zend_function_entry class_Async_FileSystemWatcher_methods[] = {
	ZEND_ME(Async_FileSystemWatcher, __construct, arginfo_class_Async_FileSystemWatcher___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_FileSystemWatcher, close, arginfo_class_Async_FileSystemWatcher_close, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_FileSystemWatcher, isClosed, arginfo_class_Async_FileSystemWatcher_isClosed, ZEND_ACC_PUBLIC)
	ZEND_ME(Async_FileSystemWatcher, getIterator, arginfo_class_Async_FileSystemWatcher_getIterator, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static inline zend_class_entry *register_class_Async_FileSystemEvent(void)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "FileSystemEvent", class_Async_FileSystemEvent_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval default_path;
	ZVAL_UNDEF(&default_path);
	zend_string *name_path = zend_string_init("path", sizeof("path") - 1, 1);
	zend_type type_path = ZEND_TYPE_INIT_MASK(MAY_BE_STRING);
	zend_declare_typed_property(class_entry, name_path, &default_path, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_path);
	zend_string_release(name_path);

	zval default_filename;
	ZVAL_UNDEF(&default_filename);
	zend_string *name_filename = zend_string_init("filename", sizeof("filename") - 1, 1);
	zend_type type_filename = ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL);
	zend_declare_typed_property(class_entry, name_filename, &default_filename, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_filename);
	zend_string_release(name_filename);

	zval default_renamed;
	ZVAL_UNDEF(&default_renamed);
	zend_string *name_renamed = zend_string_init("renamed", sizeof("renamed") - 1, 1);
	zend_type type_renamed = ZEND_TYPE_INIT_MASK(MAY_BE_BOOL);
	zend_declare_typed_property(class_entry, name_renamed, &default_renamed, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_renamed);
	zend_string_release(name_renamed);

	zval default_changed;
	ZVAL_UNDEF(&default_changed);
	zend_string *name_changed = zend_string_init("changed", sizeof("changed") - 1, 1);
	zend_type type_changed = ZEND_TYPE_INIT_MASK(MAY_BE_BOOL);
	zend_declare_typed_property(class_entry, name_changed, &default_changed, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_changed);
	zend_string_release(name_changed);
	return class_entry;
}

static inline zend_class_entry *register_class_Async_FileSystemWatcher(zend_class_entry *class_entry_Async_Awaitable, zend_class_entry *class_entry_IteratorAggregate)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "FileSystemWatcher", class_Async_FileSystemWatcher_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 2, class_entry_Async_Awaitable, class_entry_IteratorAggregate);
	return class_entry;
}
