/* Made by php/tools/generate.php from php/stubs; change the stubs, not this file. */

static const zend_function_entry class_Async_Signal_methods[] = {
	ZEND_FE_END
};

static inline zend_class_entry *register_class_Async_Signal(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Async\\Signal", IS_LONG, class_Async_Signal_methods);
	class_entry->ce_flags |= ZEND_ACC_FINAL; /* 8.2 leaves it out */
	zval case_SIGHUP;
	ZVAL_LONG(&case_SIGHUP, 1);
	zend_enum_add_case_cstr(class_entry, "SIGHUP", &case_SIGHUP);
	zval case_SIGINT;
	ZVAL_LONG(&case_SIGINT, 2);
	zend_enum_add_case_cstr(class_entry, "SIGINT", &case_SIGINT);
	zval case_SIGQUIT;
	ZVAL_LONG(&case_SIGQUIT, 3);
	zend_enum_add_case_cstr(class_entry, "SIGQUIT", &case_SIGQUIT);
	zval case_SIGILL;
	ZVAL_LONG(&case_SIGILL, 4);
	zend_enum_add_case_cstr(class_entry, "SIGILL", &case_SIGILL);
	zval case_SIGABRT;
	ZVAL_LONG(&case_SIGABRT, 6);
	zend_enum_add_case_cstr(class_entry, "SIGABRT", &case_SIGABRT);
	zval case_SIGFPE;
	ZVAL_LONG(&case_SIGFPE, 8);
	zend_enum_add_case_cstr(class_entry, "SIGFPE", &case_SIGFPE);
	zval case_SIGKILL;
	ZVAL_LONG(&case_SIGKILL, 9);
	zend_enum_add_case_cstr(class_entry, "SIGKILL", &case_SIGKILL);
	zval case_SIGUSR1;
	ZVAL_LONG(&case_SIGUSR1, 10);
	zend_enum_add_case_cstr(class_entry, "SIGUSR1", &case_SIGUSR1);
	zval case_SIGSEGV;
	ZVAL_LONG(&case_SIGSEGV, 11);
	zend_enum_add_case_cstr(class_entry, "SIGSEGV", &case_SIGSEGV);
	zval case_SIGUSR2;
	ZVAL_LONG(&case_SIGUSR2, 12);
	zend_enum_add_case_cstr(class_entry, "SIGUSR2", &case_SIGUSR2);
	zval case_SIGTERM;
	ZVAL_LONG(&case_SIGTERM, 15);
	zend_enum_add_case_cstr(class_entry, "SIGTERM", &case_SIGTERM);
	zval case_SIGBREAK;
	ZVAL_LONG(&case_SIGBREAK, 21);
	zend_enum_add_case_cstr(class_entry, "SIGBREAK", &case_SIGBREAK);
	zval case_SIGABRT2;
	ZVAL_LONG(&case_SIGABRT2, 22);
	zend_enum_add_case_cstr(class_entry, "SIGABRT2", &case_SIGABRT2);
	zval case_SIGWINCH;
	ZVAL_LONG(&case_SIGWINCH, 28);
	zend_enum_add_case_cstr(class_entry, "SIGWINCH", &case_SIGWINCH);
	return class_entry;
}
