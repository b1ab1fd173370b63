/* The library's registry. The constructor that registers the library is in the object file of ta_get_api(), so that a
 * program that links the static library and calls ta_get_api() links both. */
#include "trueasync/c/registry.h"

/* Defined in another file, so that ta_register() is called through its symbol: a core with its own registry overrides
 * it and gets the tables. */
void ta_register_library(void);

/* Priority 101: runs before the constructors of a program with the static library, which may call ta_get_api(). */
__attribute__((constructor(101))) static void register_at_load(void) { ta_register_library(); }
