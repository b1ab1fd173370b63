// A shared object that tests load after interposition is enabled.
#include <unistd.h>

int plugin_usleep(unsigned microseconds);
int plugin_usleep(unsigned microseconds) { return usleep(microseconds); }
