/* Made by php/tools/generate.php from php/stubs; change the stubs, not this file. */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Async_available_parallelism, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Async_cpu_usage, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Async_loadavg, 0, 0, IS_ARRAY, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Async_runtime_stats, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_FUNCTION(Async_available_parallelism);
ZEND_FUNCTION(Async_cpu_usage);
ZEND_FUNCTION(Async_loadavg);
ZEND_FUNCTION(Async_runtime_stats);

static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Async", available_parallelism, Async_available_parallelism, arginfo_Async_available_parallelism)
	ZEND_NS_FALIAS("Async", cpu_usage, Async_cpu_usage, arginfo_Async_cpu_usage)
	ZEND_NS_FALIAS("Async", loadavg, Async_loadavg, arginfo_Async_loadavg)
	ZEND_NS_FALIAS("Async", runtime_stats, Async_runtime_stats, arginfo_Async_runtime_stats)
	ZEND_FE_END
};
