/* A C program that uses the installed library. */
#include <stdio.h>
#include <trueasync.h>

static ta_api ta = {.size = sizeof(ta_api)};

static ta_status add_one(void* argument, ta_error* error) {
  ta_status status = ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error);
  if (status == TA_OK) ++*(int*)argument;
  return status;
}

static ta_status add_two(void* argument, ta_error* error) {
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  options.entry = add_one;
  options.argument = argument;
  for (int i = 0; i < 2; ++i) {
    ta_status status = ta.core->spawn(&options, NULL, TA_HERE, error);
    if (status != TA_OK) return status;
  }
  return TA_OK;
}

int main(void) {
  ta_error error = TA_ERROR_INIT;
  int answer = 40;
  ta_status status = ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, &error);
  if (status == TA_OK) status = ta.runtime->run(NULL, add_two, &answer, TA_HERE, &error);
  if (status != TA_OK) return fprintf(stderr, "%s\n", error.message);
  printf("%d\n", answer);
  return 0;
}
