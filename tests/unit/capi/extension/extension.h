/* The functions that the extension of these tests provides to the program that loads it. */
#ifndef TRUEASYNC_TESTS_CAPI_EXTENSION_H
#define TRUEASYNC_TESTS_CAPI_EXTENSION_H

#include <trueasync.h>

struct counters;

struct counters_functions {
  ta_status (*open)(struct counters** counters, ta_error* error);
  ta_status (*add)(struct counters* counters, int amount, int* total, ta_error* error);
  ta_event* (*changed)(struct counters* counters);
  void (*close)(struct counters* counters);
};

#endif
