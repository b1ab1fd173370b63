/* Made by php/tools/generate.php from php/stubs; change the stubs, not this file. */

static const zend_function_entry class_Async_ChannelCloseReason_methods[] = {
	ZEND_FE_END
};

static inline zend_class_entry *register_class_Async_ChannelCloseReason(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Async\\ChannelCloseReason", IS_STRING, class_Async_ChannelCloseReason_methods);
	class_entry->ce_flags |= ZEND_ACC_FINAL; /* 8.2 leaves it out */
	zval case_EXPLICIT;
	ZVAL_STR(&case_EXPLICIT, zend_string_init_interned("explicit", 8, 1));
	zend_enum_add_case_cstr(class_entry, "EXPLICIT", &case_EXPLICIT);
	zval case_DISPOSED;
	ZVAL_STR(&case_DISPOSED, zend_string_init_interned("disposed", 8, 1));
	zend_enum_add_case_cstr(class_entry, "DISPOSED", &case_DISPOSED);
	zval case_NO_PRODUCERS;
	ZVAL_STR(&case_NO_PRODUCERS, zend_string_init_interned("no producers timeout", 20, 1));
	zend_enum_add_case_cstr(class_entry, "NO_PRODUCERS", &case_NO_PRODUCERS);
	zval case_NO_CONSUMERS;
	ZVAL_STR(&case_NO_CONSUMERS, zend_string_init_interned("no consumers timeout", 20, 1));
	zend_enum_add_case_cstr(class_entry, "NO_CONSUMERS", &case_NO_CONSUMERS);
	zval case_DEADLOCK;
	ZVAL_STR(&case_DEADLOCK, zend_string_init_interned("deadlock", 8, 1));
	zend_enum_add_case_cstr(class_entry, "DEADLOCK", &case_DEADLOCK);
	zval case_SCOPE_DISPOSED;
	ZVAL_STR(&case_SCOPE_DISPOSED, zend_string_init_interned("scope disposed", 14, 1));
	zend_enum_add_case_cstr(class_entry, "SCOPE_DISPOSED", &case_SCOPE_DISPOSED);
	return class_entry;
}
