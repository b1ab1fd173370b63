/* A core that contains only the registry and loads the implementation of the tables at run time.
 * usage: core LIBRARY EXTENSION */
#include <dlfcn.h>
#include <stdio.h>
#include <trueasync/c/registry.h>

static ta_api ta = {.size = sizeof(ta_api)};

static int fail(const char* step, const ta_error* error) {
  fprintf(stderr, "%s: %s\n", step, error->message);
  return 1;
}

static ta_status count(void* argument, ta_error* error) {
  for (int i = 0; i < 3; ++i) {
    ta_status status = ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error);
    if (status != TA_OK) return status;
    ++*(int*)argument;
  }
  return TA_OK;
}

int main(int argc, char** argv) {
  static const ta_core_table own = {.head = {sizeof own, TA_ABI_MAJOR, TA_ABI_MINOR, "the core"}};
  ta_error error = TA_ERROR_INIT;
  void* functions = NULL;
  int counted = 0;
  if (argc != 3) return fail("usage", &error);
  if (ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, &error) != TA_UNAVAILABLE)
    return fail("get_api before loading", &error);
  if (!dlopen(argv[1], RTLD_NOW | RTLD_LOCAL)) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  if (ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, &error) != TA_OK) return fail("get_api after loading", &error);
  if (ta_register(TA_TABLE_CORE, &own, 0, &error) != TA_EXISTS) return fail("second registration", &error);
  if (ta.runtime->run(NULL, count, &counted, TA_HERE, &error) != TA_OK || counted != 3) return fail("run", &error);
  if (ta.runtime->load_extension(argv[2], &functions, &error) != TA_OK || !functions) return fail("extension", &error);
  return 0;
}
