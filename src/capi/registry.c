/* The library's registry. What registers the library stands here, beside ta_get_api(): whoever links the static library
 * and asks for the tables gets both. */
#include "trueasync/c/registry.h"

/* Elsewhere, so that ta_register() is called by name: a core that has a registry of its own gets the tables there. */
void ta_register_library(void);

/* Before the constructors of a program that has the static library: one of them may ask for the tables. */
__attribute__((constructor(101))) static void register_at_load(void) { ta_register_library(); }
