// A call of the C library in a loop, in an object whose calls can be replaced. This one returns at once, without a system
// call: the clock of a thread's own CPU time can't be slept on.
#include <time.h>

void call_in_a_loop(unsigned long count);
void call_in_a_loop(unsigned long count) {
  const struct timespec length = {0, 0};
  for (unsigned long i = 0; i < count; ++i) clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &length, 0);
}
