// Calls a libc function in a loop, in a shared object whose imports can be replaced. clock_nanosleep() with this clock fails
// without a system call, because a thread cannot sleep on its own CPU time.
#include <time.h>

void call_in_a_loop(unsigned long count);
void call_in_a_loop(unsigned long count) {
  const struct timespec length = {0, 0};
  for (unsigned long i = 0; i < count; ++i) clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &length, 0);
}
