/* One moment until which everything a call waits for must have happened, and what is left until then.
 * The file that includes it has `extern ta_api ta`. */
#ifndef TRUEASYNC_EXTENSIONS_DEADLINE_H
#define TRUEASYNC_EXTENSIONS_DEADLINE_H

#include <trueasync.h>

#define TA_NO_DEADLINE INT64_MAX

static inline int64_t ta_deadline_after(const ta_api* api, int64_t limit) {
  int64_t now = 0;
  if (limit < 0) return TA_NO_DEADLINE;
  now = api->reactor->now();
  return limit > TA_NO_DEADLINE - now ? TA_NO_DEADLINE : now + limit;
}

/* As a limit. What has passed is 0: whoever waits with it gets TA_TIMEOUT, unless it is ready at once. */
static inline int64_t ta_left_until(const ta_api* api, int64_t deadline) {
  int64_t left = 0;
  if (deadline == TA_NO_DEADLINE) return TA_FOREVER;
  left = deadline - api->reactor->now();
  return left > 0 ? left : 0;
}

#endif
