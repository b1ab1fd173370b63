/* Made by php/tools/generate.php from php/stubs; change the stubs, not this file. */

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_Async_spawn_thread, 0, 1, Async\\Thread, 0)
	ZEND_ARG_OBJ_INFO(0, task, Closure, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, inherit, _IS_BOOL, 0, "true")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, bootloader, Closure, 1, "null")
ZEND_END_ARG_INFO()

ZEND_FUNCTION(Async_spawn_thread);

static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Async", spawn_thread, Async_spawn_thread, arginfo_Async_spawn_thread)
	ZEND_FE_END
};
