/* Time: one moment until which everything a call waits for must have happened, and what is left until then. */
#ifndef TRUEASYNC_EXTENSIONS_DEADLINE_H
#define TRUEASYNC_EXTENSIONS_DEADLINE_H

#include <trueasync.h>

#define TA_NO_DEADLINE INT64_MAX

static inline int64_t ta_deadline_after(const ta_api* api, int64_t timeout_ns) {
  int64_t now = 0;
  if (timeout_ns < 0) return TA_NO_DEADLINE;
  now = api->reactor->now();
  return timeout_ns > TA_NO_DEADLINE - now ? TA_NO_DEADLINE : now + timeout_ns;
}

/* As a limit. What has passed is 0: whoever waits with it gets TA_TIMEOUT, unless it is ready at once. */
static inline int64_t ta_remaining_until(const ta_api* api, int64_t deadline) {
  int64_t left = 0;
  if (deadline == TA_NO_DEADLINE) return TA_NO_TIMEOUT;
  left = deadline - api->reactor->now();
  return left > 0 ? left : 0;
}

/* One that has answered a moment ago is not looked at before the next one has it: in a busy pool that would be a system
 * call each time. If it dies within that moment, one caller is told. */
#define TA_RECENT_NS TA_MILLISECONDS(1)

static inline bool ta_is_recent(const ta_api* api, int64_t when) { return api->reactor->now() - when < TA_RECENT_NS; }

#endif
