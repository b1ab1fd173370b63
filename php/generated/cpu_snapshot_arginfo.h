/* Made by php/tools/generate.php from php/stubs; change the stubs, not this file. */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Async_CpuSnapshot___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Async_CpuSnapshot_now, 0, 0, Async\\CpuSnapshot, 0)
ZEND_END_ARG_INFO()

ZEND_METHOD(Async_CpuSnapshot, __construct);
ZEND_METHOD(Async_CpuSnapshot, now);

static const zend_function_entry class_Async_CpuSnapshot_methods[] = {
	ZEND_ME(Async_CpuSnapshot, __construct, arginfo_class_Async_CpuSnapshot___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Async_CpuSnapshot, now, arginfo_class_Async_CpuSnapshot_now, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static inline zend_class_entry *register_class_Async_CpuSnapshot(void)
{
	zend_class_entry ce, *class_entry;
	INIT_NS_CLASS_ENTRY(ce, "Async", "CpuSnapshot", class_Async_CpuSnapshot_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval default_wallNs;
	ZVAL_UNDEF(&default_wallNs);
	zend_string *name_wallNs = zend_string_init("wallNs", sizeof("wallNs") - 1, 1);
	zend_type type_wallNs = ZEND_TYPE_INIT_MASK(MAY_BE_LONG);
	zend_declare_typed_property(class_entry, name_wallNs, &default_wallNs, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_wallNs);
	zend_string_release(name_wallNs);

	zval default_processUserNs;
	ZVAL_UNDEF(&default_processUserNs);
	zend_string *name_processUserNs = zend_string_init("processUserNs", sizeof("processUserNs") - 1, 1);
	zend_type type_processUserNs = ZEND_TYPE_INIT_MASK(MAY_BE_LONG);
	zend_declare_typed_property(class_entry, name_processUserNs, &default_processUserNs, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_processUserNs);
	zend_string_release(name_processUserNs);

	zval default_processSystemNs;
	ZVAL_UNDEF(&default_processSystemNs);
	zend_string *name_processSystemNs = zend_string_init("processSystemNs", sizeof("processSystemNs") - 1, 1);
	zend_type type_processSystemNs = ZEND_TYPE_INIT_MASK(MAY_BE_LONG);
	zend_declare_typed_property(class_entry, name_processSystemNs, &default_processSystemNs, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_processSystemNs);
	zend_string_release(name_processSystemNs);

	zval default_systemIdleNs;
	ZVAL_UNDEF(&default_systemIdleNs);
	zend_string *name_systemIdleNs = zend_string_init("systemIdleNs", sizeof("systemIdleNs") - 1, 1);
	zend_type type_systemIdleNs = ZEND_TYPE_INIT_MASK(MAY_BE_LONG);
	zend_declare_typed_property(class_entry, name_systemIdleNs, &default_systemIdleNs, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_systemIdleNs);
	zend_string_release(name_systemIdleNs);

	zval default_systemBusyNs;
	ZVAL_UNDEF(&default_systemBusyNs);
	zend_string *name_systemBusyNs = zend_string_init("systemBusyNs", sizeof("systemBusyNs") - 1, 1);
	zend_type type_systemBusyNs = ZEND_TYPE_INIT_MASK(MAY_BE_LONG);
	zend_declare_typed_property(class_entry, name_systemBusyNs, &default_systemBusyNs, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_systemBusyNs);
	zend_string_release(name_systemBusyNs);

	zval default_cpuCount;
	ZVAL_UNDEF(&default_cpuCount);
	zend_string *name_cpuCount = zend_string_init("cpuCount", sizeof("cpuCount") - 1, 1);
	zend_type type_cpuCount = ZEND_TYPE_INIT_MASK(MAY_BE_LONG);
	zend_declare_typed_property(class_entry, name_cpuCount, &default_cpuCount, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, type_cpuCount);
	zend_string_release(name_cpuCount);
	return class_entry;
}
