// An object that is loaded while the calls of others are replaced already.
#include <unistd.h>

int plugin_usleep(unsigned microseconds);
int plugin_usleep(unsigned microseconds) { return usleep(microseconds); }
