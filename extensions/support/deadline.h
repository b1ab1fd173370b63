/* Deadlines: a call converts its timeout to a deadline once. All of its waits use the remaining time. */
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

/* The remaining time as a timeout; 0 after the deadline. A wait with 0 returns TA_TIMEOUT unless the event is ready. */
static inline int64_t ta_remaining_until(const ta_api* api, int64_t deadline) {
  int64_t remaining = 0;
  if (deadline == TA_NO_DEADLINE) return TA_NO_TIMEOUT;
  remaining = deadline - api->reactor->now();
  return remaining > 0 ? remaining : 0;
}

/* A connection that responded this recently is reused without a check, which saves a system call per acquire in a busy pool.
 * If the connection breaks within this time, one caller gets the error. */
#define TA_RECENT_NS TA_MILLISECONDS(1)

static inline bool ta_is_recent(const ta_api* api, int64_t when) { return api->reactor->now() - when < TA_RECENT_NS; }

#endif
